import type { ReleaseSpec } from '../../api/release.ts';
import type { ApiObject } from '../controlplane/apiAccess.ts';
import type { AuditTail } from '../controlplane/audit.ts';
import type { ControlPlane } from '../controlplane/controlPlane.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { type Expected, ReleaseModel } from '../model/releaseModel.ts';
import { sourceOf } from '../model/scenario.ts';
import { wireProblems, writesIn } from '../model/wire.ts';
import { type World, worldOf } from '../model/world.ts';
import { createRelease, patchRelease, releasesPath, waitForReady } from '../support/releases.ts';
import { type EndState, endState } from './endState.ts';
import { gateProblems } from './gates.ts';
import type { Kill, KillPlan, PhaseName } from './killPlan.ts';
import { isRequest, type Length, type MortalController } from './mortalController.ts';
import { letGoSlowly } from './slowFinalizers.ts';
import { firstRender, secondRender } from './workload.ts';

const NAME = 'killed';
const TIMEOUT_MS = 120_000;

/** How one phase went. */
export interface PhaseResult extends Length {
  state: EndState;
  /** Breaches of the order, and what was touched that is not the Release's. */
  problems: string[];
}

export type Life = Record<PhaseName, PhaseResult>;

interface Phase {
  name: PhaseName;
  expected: Expected;
  act: () => Promise<unknown>;
  end: () => Promise<unknown>;
}

/**
 * One Release in a namespace of its own, from its creation over a change to its deletion; the controller is killed in
 * each phase.
 * @param lengths of the undisturbed phases, which the moments of the kills are parts of
 */
export async function killedRelease(
  plane: ControlPlane,
  controller: MortalController,
  plan: KillPlan,
  lengths: Readonly<Record<PhaseName, Length>>,
): Promise<Life> {
  const world = worldOf(await createNamespace(plane.api, NAME));
  const stop = new AbortController();
  const holding = letGoSlowly(plane.api, world.home, stop.signal);
  const release = new KilledRelease(plane, controller, await plane.auditTail(), world);
  try {
    const [apply, change, remove] = release.phases();
    await release.createForeign();
    return {
      apply: await release.run(apply, plan.apply, lengths.apply),
      change: await release.run(change, plan.change, lengths.change),
      delete: await release.run(remove, plan.delete, lengths.delete),
    };
  } finally {
    stop.abort();
    await holding;
    await plane.api.must('DELETE', `/api/v1/namespaces/${world.home}`);
    await plane.api.waitForGone('/api/v1/namespaces', world.home, TIMEOUT_MS);
  }
}

class KilledRelease {
  readonly #plane: ControlPlane;
  readonly #controller: MortalController;
  readonly #audit: AuditTail;
  readonly #world: World;
  readonly #foreign = new Map<string, ApiObject>();

  constructor(plane: ControlPlane, controller: MortalController, audit: AuditTail, world: World) {
    this.#plane = plane;
    this.#controller = controller;
    this.#audit = audit;
    this.#world = world;
  }

  phases(): [Phase, Phase, Phase] {
    const { api } = this.#plane;
    const at = { namespace: this.#world.home, name: NAME };
    const path = releasesPath(this.#world.home);
    const [first, second] = [firstRender(this.#world), secondRender(this.#world)];
    const model = new ReleaseModel(true);
    const isApplied = () => waitForReady(api, at, 'Applied', TIMEOUT_MS);
    const [create, change] = [specOf(sourceOf(first)), specOf(sourceOf(second))];
    return [
      {
        name: 'apply',
        expected: model.apply(first),
        act: () => createRelease(api, { ...at, spec: create }),
        end: isApplied,
      },
      {
        name: 'change',
        expected: model.apply(second),
        act: () => patchRelease(api, at, { spec: change }),
        end: isApplied,
      },
      {
        name: 'delete',
        expected: model.delete(),
        act: () => api.must('DELETE', `${path}/${NAME}`),
        end: () => api.waitForGone(path, NAME, TIMEOUT_MS),
      },
    ];
  }

  /** What is no business of the Release, in the same namespace. */
  async createForeign(): Promise<void> {
    for (const collection of ['configmaps', 'serviceaccounts']) {
      const path = `/api/v1/namespaces/${this.#world.home}/${collection}`;
      this.#foreign.set(
        `${path}/foreign`,
        await this.#plane.api.must('POST', path, { metadata: { name: 'foreign' } }),
      );
    }
  }

  async run(
    { name, expected, act, end }: Phase,
    kills: readonly Kill[],
    length: Length,
  ): Promise<PhaseResult> {
    await this.#audit.read();
    const over = new AbortController();
    const from = Date.now() / 1000;
    const killing = this.#controller.die(kills, length, over.signal);
    await act();
    await end();
    const to = Date.now() / 1000;
    over.abort();
    await killing;
    const state = await endState(this.#plane.api, this.#world, NAME, this.#collections());
    const events = await this.#audit.read();
    return {
      ms: (to - from) * 1000,
      requests: events.filter(isRequest).length,
      state,
      problems: [
        ...wireProblems(writesIn(events), { what: name, world: this.#world, expected, from, to }),
        ...gateProblems(events, expected),
        ...(await this.#touched()),
      ],
    };
  }

  #collections(): string[] {
    const renders = [...firstRender(this.#world), ...secondRender(this.#world)];
    return [...new Set(renders.map(({ collection }) => collection))];
  }

  async #touched(): Promise<string[]> {
    const problems: string[] = [];
    for (const [path, { metadata }] of this.#foreign) {
      const { body } = await this.#plane.api.request('GET', path);
      if (JSON.stringify(body.metadata) !== JSON.stringify(metadata)) problems.push(`${path} is touched`);
    }
    return problems;
  }
}

function specOf(inline: string): ReleaseSpec {
  return {
    source: { inline },
    healthAssessment: {},
    syncPolicy: { defaultStrategy: 'waitForHealthy', prune: { orphaned: true } },
  };
}
