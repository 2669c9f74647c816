import type { TSchema } from 'typebox';
import type { ConvoyKind } from './group.ts';

export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'boolean' | 'date';
  jsonPath: string;
  /** In `-o wide` alone. */
  wide?: boolean;
  description: string;
}

/** All there is to say of one kind: its CRD, its validator and its documentation are made from it. */
export interface KindDefinition {
  kind: ConvoyKind;
  singular: string;
  shortName: string;
  description: string;
  spec: TSchema;
  /** A Cluster without a spec is the local one; every other kind needs its spec. */
  specOptional?: true;
  /** Absent for a kind that only holds data. */
  status?: TSchema;
  columns: readonly PrinterColumn[];
}
