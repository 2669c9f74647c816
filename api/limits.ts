/** Entries of one ReleaseInventory, so that a shard with full messages stays under the API server's limit. */
export const ENTRIES_PER_SHARD = 500;
/** Bytes of a health message. */
export const MAX_HEALTH_MESSAGE = 200;
