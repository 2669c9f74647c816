import type { Cluster } from '../../api/cluster.ts';
import { RESOURCES } from '../../api/group.ts';
import { clusterTable } from '../views/clusterTable.ts';
import { getObjects } from './getObjects.ts';

/** `cluster get [NAME]`. */
export const clusterGet = getObjects<Cluster>(RESOURCES.Cluster, clusterTable);
