/** Entries of one ReleaseInventory, so that a shard with full messages stays under the API server's limit. */
export const ENTRIES_PER_SHARD = 500;
/** Bytes of a health message. */
export const MAX_HEALTH_MESSAGE = 200;
/** Characters of the id of a sync request. */
export const MAX_REQUEST_ID = 64;
/** How many replaced request ids one request can name. */
export const MAX_SUPERSEDED = 256;
/** How many handled sync requests `status.sync.recent` keeps. */
export const SYNC_HISTORY = 20;
