import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { releaseTable } from '../views/releaseTable.ts';
import { getObjects } from './getObjects.ts';

/** `release get [NAME]`. */
export const releaseGet = getObjects<Release>(RESOURCES.Release, releaseTable);
