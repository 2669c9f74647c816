/** Entries of one ReleaseInventory, so that a shard with full messages stays under the API server's limit. */
export const ENTRIES_PER_SHARD = 500;
/** Bytes of a health message. */
export const MAX_HEALTH_MESSAGE = 200;
/** Characters of the id of a sync request. */
export const MAX_REQUEST_ID = 64;
/** Characters of the name of who asked for something. */
export const MAX_ACTOR = 1024;
/** How many waves `status.waves` lists: as many as fit into one object. */
export const MAX_WAVES = 4096;
/** How many replaced request ids one request can name. */
export const MAX_SUPERSEDED = 256;
/** How many handled sync requests `status.sync.recent` keeps. */
export const SYNC_HISTORY = 20;
/** Hooks of a Release in all phases. */
export const MAX_HOOKS = 64;
