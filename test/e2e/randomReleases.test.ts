import { join } from 'node:path';
import fc from 'fast-check';
import pMap from 'p-map';
import { beforeAll, expect, test } from 'vitest';
import type { ApiObject } from '../controlplane/apiAccess.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace, useControlPlane } from '../controlplane/fixture.ts';
import { expectedInventory, expectedSummary, inventoryIn, liveIn, summary } from '../model/live.ts';
import { type Expected, ReleaseModel } from '../model/releaseModel.ts';
import { renderOf, type Scenario, scenario, sourceOf } from '../model/scenario.ts';
import { type Span, wireProblems, writesIn } from '../model/wire.ts';
import { HOLD, idOf, type Slot, type World, worldOf } from '../model/world.ts';
import { useController } from '../support/controllerProcess.ts';
import { createRelease, patchRelease, releasesPath, waitForReady } from '../support/releases.ts';

const RUNS = 30;
const AT_ONCE = 8;
const TIMEOUT_MS = 120_000;
const NAME = 'random';
/** CONVOY_TEST_SEED repeats a run. */
const SEED = Number(process.env['CONVOY_TEST_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

const plane = useControlPlane({ audit: true, kwok: false });
beforeAll(() => installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath));
const controller = useController(plane);

/** One Release from its creation to its deletion, held against the model after each step. */
class RandomRelease {
  readonly spans: Span[] = [];
  readonly #name: string;
  readonly #world: World;
  readonly #scenario: Scenario;
  readonly #model: ReleaseModel;
  readonly #foreign = new Map<string, ApiObject>();

  constructor(name: string, home: string, drawn: Scenario) {
    this.#name = name;
    this.#world = worldOf(home);
    this.#scenario = drawn;
    this.#model = new ReleaseModel(drawn.prune);
  }

  async run(): Promise<void> {
    const { home } = this.#world;
    await this.#createForeign(`/api/v1/namespaces/${home}/configmaps`, 'ConfigMap');
    await this.#createForeign(`/api/v1/namespaces/${home}/serviceaccounts`, 'ServiceAccount');
    for (const [index, step] of this.#scenario.steps.entries()) {
      const render = renderOf(this.#world, this.#model, this.#scenario, step);
      const held = this.#heldObjects();
      await this.#step(`step ${index + 1}`, this.#model.apply(render), held, () =>
        index === 0 ? this.#create(sourceOf(render)) : this.#change(sourceOf(render)),
      );
      if (this.#scenario.foreignBoat) await this.#createForeignInstance();
    }
    const held = this.#heldObjects();
    await this.#step('deletion', this.#model.delete(), held, () =>
      plane().api.must('DELETE', `${releasesPath(home)}/${NAME}`),
    );
  }

  async #createForeign(collection: string, kind: string, more: object = {}): Promise<void> {
    const { home } = this.#world;
    const created = await plane().api.must('POST', collection, { metadata: { name: 'foreign' }, ...more });
    this.#foreign.set(idOf({ kind, namespace: home, name: 'foreign' }), created);
  }

  /** As soon as its type is there. */
  async #createForeignInstance(): Promise<void> {
    const { home, group } = this.#world;
    const isTypeThere = this.#model.live.has(`customresourcedefinitions//boats.${group}`);
    if (!isTypeThere || this.#model.hasForeignInstance) return;
    const apiVersion = `${group}/v1`;
    await this.#createForeign(`/apis/${apiVersion}/namespaces/${home}/boats`, 'Boat', {
      apiVersion,
      kind: 'Boat',
    });
    this.#model.hasForeignInstance = true;
  }

  async #create(inline: string): Promise<unknown> {
    const syncPolicy = { prune: { orphaned: this.#scenario.prune } };
    return await createRelease(plane().api, {
      ...{ namespace: this.#world.home, name: NAME },
      spec: { source: { inline }, syncPolicy },
    });
  }

  async #change(inline: string): Promise<unknown> {
    const patch = { spec: { source: { inline } } };
    return await patchRelease(plane().api, { namespace: this.#world.home, name: NAME }, patch);
  }

  async #step(what: string, expected: Expected, held: Slot[], act: () => Promise<unknown>): Promise<void> {
    const from = Date.now() / 1000;
    await act();
    const going = new Set(expected.deletions.flat().map(({ id }) => id));
    await Promise.all([
      this.#untilDone(expected),
      ...held.filter(({ id }) => going.has(id)).map((slot) => this.#letGo(slot)),
    ]);
    this.spans.push({
      ...{ what: `${this.#name}, ${what}`, world: this.#world, expected, from },
      to: Date.now() / 1000,
    });
    await this.#check(`${this.#name}, ${what}`);
  }

  #heldObjects(): Slot[] {
    return [...this.#model.live.values()].filter(({ object }) =>
      JSON.stringify(object.metadata['finalizers'] ?? []).includes(HOLD),
    );
  }

  async #untilDone({ reason }: Expected): Promise<void> {
    const { api } = plane();
    const { home } = this.#world;
    if (reason === undefined) await api.waitForGone(releasesPath(home), NAME, TIMEOUT_MS);
    else await waitForReady(api, { namespace: home, name: NAME }, reason, TIMEOUT_MS);
  }

  /** Takes the finalizer off what is being deleted, so that it goes later than it was told to. */
  async #letGo({ collection, object }: Slot): Promise<void> {
    const name = String(object.metadata['name']);
    await plane().api.waitForNamed(
      collection,
      name,
      ({ metadata }) => metadata['deletionTimestamp'] !== undefined,
      TIMEOUT_MS,
    );
    await plane().api.must('PATCH', `${collection}/${name}`, { metadata: { finalizers: null } });
  }

  async #check(what: string): Promise<void> {
    const { api } = plane();
    const live = await liveIn(api, this.#world);
    const { live: expected, inventory } = this.#model;
    expect(summary(live), `${what}: live`).toEqual(expectedSummary(expected, [...this.#foreign.keys()]));
    for (const [id, object] of this.#foreign)
      expect(live.get(id), `${what}: ${id} is not touched`).toMatchObject({ metadata: object.metadata });
    expect(await inventoryIn(api, this.#world), `${what}: inventory`).toEqual(
      expectedInventory(inventory, live),
    );
  }
}

test(`${RUNS} random Releases end each step as the model says, in its order (CONVOY_TEST_SEED=${SEED})`, async () => {
  const { api } = plane();
  const drawn = fc.sample(scenario, { numRuns: RUNS, seed: SEED });
  const runs = await pMap(
    drawn,
    async (one, index) => {
      const release = new RandomRelease(`Release ${index}`, await createNamespace(api, 'model'), one);
      return await release.run().then(
        () => ({ spans: release.spans, failure: undefined }),
        (error: unknown) => ({ spans: release.spans, failure: error }),
      );
    },
    { concurrency: AT_ONCE },
  );
  const writes = writesIn(await plane().auditEvents());
  const failures = runs.flatMap(({ spans, failure }) => [
    ...(failure === undefined ? [] : [failure]),
    ...spans.flatMap((span) => wireProblems(writes, span)),
  ]);
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
  expect(controller().log.filter(({ level }) => level === 'error')).toEqual([]);
}, 600_000);
