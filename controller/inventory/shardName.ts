/** Name of a shard of the inventory of the Release with this UID. */
export function shardName(uid: string, index: number): string {
  return `${uid}-${index}`;
}

/** UID of the Release that a shard of this name belongs to; undefined for any other name. */
export function uidOfShard(name: string): string | undefined {
  return /^(.+)-\d+$/.exec(name)?.[1];
}
