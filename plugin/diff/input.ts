import { ALLOW_EMPTY } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import type { TextFile } from '../../engine/render/files.ts';
import { findLive } from '../../kube/findLive.ts';
import type { Flags } from '../cli/flags.ts';
import type { Io } from '../cli/io.ts';
import { usageProblem } from '../cli/problem.ts';
import type { Session } from '../cluster/session.ts';
import { getRelease } from '../commands/getRelease.ts';
import { parseReference, type Reference, resolveReference } from '../history/reference.ts';
import { nameOf, StoredRenders } from '../history/storedRenders.ts';
import { releaseIn } from '../offline/input.ts';
import { readFiles } from '../offline/readFiles.ts';

/** What is held against the cluster. */
export interface DiffInput {
  release: Release;
  /** Manifests that stand in place of its source; undefined: its source. */
  texts: readonly TextFile[] | undefined;
  /** A stored render that stands in place of what its source makes, with its canonical JSON; undefined: none does. */
  stored?: { renderRef: string; text: string } | undefined;
  notes: string[];
}

/**
 * The Release as it is, or with what `-f` names in place of its source, or of its spec where that is a Release itself.
 * @throws CliProblem where there is no such Release, or the file holds another one
 */
export async function diffInput(
  session: Session,
  name: string,
  { filenames, to }: Pick<Flags, 'filenames' | 'to'>,
  { stdin }: Pick<Io, 'stdin'>,
): Promise<DiffInput> {
  if (to !== undefined) return await storedInput(session, name, parseReference(to, '--to'));
  if (filenames.length === 0) {
    const release = await getRelease(session, name);
    return { release, texts: undefined, notes: stateNotes(release) };
  }
  const texts = await readFiles(filenames, stdin);
  const proposed = await releaseIn(texts);
  if (proposed === undefined) {
    const release = await getRelease(session, name);
    return { release, texts, notes: stateNotes(release) };
  }
  refuseAnother(proposed, name, session.namespace);
  return await inPlaceOfSpec(session, proposed);
}

async function storedInput(session: Session, name: string, reference: Reference): Promise<DiffInput> {
  const release = await getRelease(session, name);
  const store = await StoredRenders.of(session, release);
  const named = resolveReference(reference, release, store.held);
  const stored = { renderRef: named.renderRef, text: await store.read(named) };
  const note = `this is what a sync would change with the Release pinned to ${nameOf(named)}`;
  return { release, texts: undefined, stored, notes: [note, ...stateNotes(release, true)] };
}

function refuseAnother({ metadata }: Release, name: string, namespace: string): void {
  if (metadata.name === name && (metadata.namespace ?? namespace) === namespace) return;
  const where = metadata.namespace === undefined ? '' : ` in ${metadata.namespace}`;
  throw usageProblem(
    `the file holds the Release ${metadata.name}${where}, not ${name} in ${namespace}`,
    'name that Release, and its namespace with -n',
  );
}

async function inPlaceOfSpec(session: Session, proposed: Release): Promise<DiffInput> {
  const { name } = proposed.metadata;
  const live = await findLive<Release>(session.client, RESOURCES.Release, {
    namespace: session.namespace,
    name,
  });
  if (live === undefined) {
    const release = { ...proposed, metadata: { ...proposed.metadata, namespace: session.namespace } };
    return { release, texts: undefined, notes: [`the Release ${name} does not exist: it would be created`] };
  }
  const allowEmpty = proposed.metadata.annotations?.[ALLOW_EMPTY] ?? 'false';
  const annotations = { ...live.metadata.annotations, [ALLOW_EMPTY]: allowEmpty };
  const release = { ...live, metadata: { ...live.metadata, annotations }, spec: proposed.spec };
  return { release, texts: undefined, notes: stateNotes(release) };
}

/** What holds a sync up, whatever the render. @param isPin the render is one that it would be pinned to */
function stateNotes({ metadata, spec }: Release, isPin = false): string[] {
  if (metadata.deletionTimestamp !== undefined)
    return ['the Release is being deleted: nothing is applied any more'];
  return [
    ...(spec.suspend === true
      ? ['the Release is suspended: nothing is applied until it is resumed (kubectl convoy release resume)']
      : []),
    ...(spec.pin === undefined || isPin
      ? []
      : ['the Release is pinned: this is what a sync would change with the pin taken out']),
  ];
}
