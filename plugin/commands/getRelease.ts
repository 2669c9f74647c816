import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import type { Session } from '../cluster/session.ts';
import { getNamed } from './getNamed.ts';

/** Reads the Release that was named. Throws as getNamed does. */
export async function getRelease(session: Session, name: string): Promise<Release> {
  return await getNamed<Release>(session, RESOURCES.Release, name);
}
