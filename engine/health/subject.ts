import type { Assessment } from './assessment.ts';
import { Fields } from './fields.ts';

/** What the object itself does not tell of its kind. */
export interface KindFacts {
  /** Its CustomResourceDefinition declares `status.conditions` (declaresConditions); false where nobody knows. */
  declaresConditions?: boolean;
  /** Of PersistentVolumeClaims: StorageClasses that bind a claim only when a pod uses it (`WaitForFirstConsumer`). */
  lateBinding?: ReadonlySet<string>;
}

/** The object as a judge reads it. */
export class Subject {
  readonly object: Fields;
  readonly metadata: Fields;
  readonly status: Fields;
  readonly now: Date;
  readonly facts: KindFacts;

  /** @throws ShapeError where the object, its metadata or its status is no map */
  constructor(object: unknown, now: Date, facts: KindFacts) {
    this.object = new Fields(object, '');
    this.metadata = this.object.map('metadata');
    this.status = this.object.map('status');
    this.now = now;
    this.facts = facts;
  }

  get spec(): Fields {
    return this.object.map('spec');
  }

  get generation(): number | undefined {
    return this.metadata.generation('generation');
  }
}

/** Decides on an object that is not being deleted and whose generation, where its status names one, is observed. */
export type Judge = (subject: Subject) => Assessment;
