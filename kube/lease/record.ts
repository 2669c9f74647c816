import type { KubeObject } from '../../api/object.ts';
import type { ApiResource } from '../resource.ts';

export const LEASES: ApiResource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
};

/** coordination.k8s.io/v1 LeaseSpec, as leader election uses it. */
export interface LeaseRecord {
  /** Who leads; empty or absent: nobody. */
  holderIdentity?: string;
  /** How long others wait after they have seen the record change. */
  leaseDurationSeconds?: number;
  /** RFC 3339 with microseconds, for people: nobody decides by it. */
  acquireTime?: string;
  renewTime?: string;
  /** How often the holder changed. */
  leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  spec?: LeaseRecord;
}
