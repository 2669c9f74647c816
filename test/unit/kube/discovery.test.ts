import { describe, expect, it } from 'vitest';
import { Discovery, DiscoveryIncomplete } from '../../../kube/discovery.ts';
import { isRetryable } from '../../../kube/errors.ts';
import type { ApiResource } from '../../../kube/resource.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';
import { errorOf, transportTo } from './transportFixture.ts';

const resource = (kind: string, version = 'v1'): ApiResource => ({
  group: 'example.org',
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
  verbs: ['get'],
});

const served = (kind: string): unknown => ({
  resource: `${kind.toLowerCase()}s`,
  responseKind: { group: '', version: '', kind },
  scope: 'Namespaced',
  verbs: ['get'],
  subresources: [{ subresource: 'status', responseKind: { kind }, verbs: ['get'] }],
});

interface Version {
  version: string;
  kinds: string[];
  freshness?: string;
}

/** What the server serves under /apis; changed by tests while it runs. */
type Groups = Record<string, Version[]>;

async function aggregatedServer(groups: Groups): Promise<HttpServer> {
  return await HttpServer.start(({ url }, response) => {
    const items = Object.entries(url === '/api' ? { '': [{ version: 'v1', kinds: ['Pod'] }] } : groups).map(
      ([name, versions]) => ({
        metadata: { name },
        versions: versions.map(({ version, kinds, freshness = 'Current' }) => ({
          version,
          freshness,
          resources: kinds.map(served),
        })),
      }),
    );
    sendJson(response, 200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items });
  });
}

function discoveryOf(server: HttpServer): { discovery: Discovery; pass: (ms: number) => void } {
  let now = 0;
  const discovery = new Discovery(transportTo(server.url), { now: () => now, missIntervalMs: 1000 });
  return { discovery, pass: (ms) => (now += ms) };
}

describe('looking up kinds', () => {
  it('takes the preferred version that has the kind', async () => {
    const server = await aggregatedServer({
      'example.org': [
        { version: 'v2', kinds: ['Boat'] },
        { version: 'v1', kinds: ['Boat', 'Anchor'] },
      ],
    });
    const { discovery } = discoveryOf(server);
    expect(await discovery.resourceFor('example.org', 'Boat')).toEqual(resource('Boat', 'v2'));
    expect(await discovery.resourceFor('example.org', 'Boat', 'v1')).toEqual(resource('Boat', 'v1'));
    expect(await discovery.resourceFor('example.org', 'Anchor')).toEqual(resource('Anchor', 'v1'));
    expect(await discovery.resourceFor('example.org', 'Anchor', 'v2')).toBeUndefined();
    expect(await discovery.resourceFor('', 'Pod')).toMatchObject({ group: '', plural: 'pods' });
    expect(server.received).toHaveLength(2);
  });

  it('asks once for all who ask at the same time', async () => {
    const server = await aggregatedServer({});
    const { discovery } = discoveryOf(server);
    await Promise.all(Array.from({ length: 20 }, () => discovery.resourceFor('', 'Pod')));
    expect(server.received).toHaveLength(2);
  });

  it('asks again for an unknown kind, though once per interval however many miss it', async () => {
    const server = await aggregatedServer({});
    const { discovery, pass } = discoveryOf(server);
    const miss = async (): Promise<number> => {
      const found = await Promise.all(
        Array.from({ length: 20 }, () => discovery.resourceFor('example.org', 'Boat')),
      );
      expect(found.every((one) => one === undefined)).toBe(true);
      return server.received.length;
    };
    expect(await miss()).toBe(2);
    pass(999);
    expect(await miss()).toBe(2);
    pass(1);
    expect(await miss()).toBe(4);
    expect(await miss()).toBe(4);
  });

  it('finds a kind that came since', async () => {
    const groups: Groups = {};
    const { discovery, pass } = discoveryOf(await aggregatedServer(groups));
    await discovery.resourceFor('', 'Pod');
    groups['example.org'] = [{ version: 'v1', kinds: ['Boat'] }];
    pass(1000);
    expect(await discovery.resourceFor('example.org', 'Boat')).toEqual(resource('Boat'));
  });

  it('keeps nothing of a failure', async () => {
    let healthy = false;
    const server = await HttpServer.start((_, response) => {
      if (healthy) sendJson(response, 200, { kind: 'APIGroupDiscoveryList', items: [] });
      else sendJson(response, 503, status(503, 'ServiceUnavailable', 'starting'));
    });
    const { discovery } = discoveryOf(server);
    expect(isRetryable(await errorOf(discovery.resourceFor('', 'Pod')))).toBe(true);
    healthy = true;
    expect(await discovery.resourceFor('', 'Pod')).toBeUndefined();
  });
});

describe('a group whose server is unavailable', () => {
  const groups: Groups = {
    'metrics.k8s.io': [{ version: 'v1beta1', kinds: [], freshness: 'Stale' }],
    'partly.org': [
      { version: 'v1', kinds: ['Boat'] },
      { version: 'v2', kinds: [], freshness: 'Stale' },
    ],
  };

  it('is incomplete and never absent, and hurts no other group', async () => {
    const { discovery } = discoveryOf(await aggregatedServer(groups));
    const error = await errorOf(discovery.resourceFor('metrics.k8s.io', 'PodMetrics'));
    expect(error).toBeInstanceOf(DiscoveryIncomplete);
    expect(error).toMatchObject({ group: 'metrics.k8s.io' });
    expect(await discovery.resourceFor('absent.org', 'Boat')).toBeUndefined();
    expect(await discovery.resourceFor('', 'Pod')).toBeDefined();
    expect(await discovery.all()).toMatchObject({ incomplete: ['metrics.k8s.io', 'partly.org'] });
  });

  it('still has the versions that are served elsewhere', async () => {
    const { discovery } = discoveryOf(await aggregatedServer(groups));
    expect(await discovery.resourceFor('partly.org', 'Boat')).toMatchObject({ version: 'v1' });
    expect(await discovery.resourceFor('partly.org', 'Anchor', 'v1')).toBeUndefined();
    expect(await errorOf(discovery.resourceFor('partly.org', 'Anchor'))).toBeInstanceOf(DiscoveryIncomplete);
    expect(await errorOf(discovery.resourceFor('partly.org', 'Anchor', 'v2'))).toBeInstanceOf(
      DiscoveryIncomplete,
    );
  });
});

describe('what is learned from a CRD', () => {
  it('is known at once, without a request, and outlasts an answer that does not have it yet', async () => {
    const groups: Groups = {};
    const server = await aggregatedServer(groups);
    const { discovery, pass } = discoveryOf(server);
    discovery.register(resource('Boat'));
    expect(await discovery.resourceFor('example.org', 'Boat')).toEqual(resource('Boat'));
    expect(server.received).toHaveLength(0);
    await discovery.resourceFor('example.org', 'Anchor');
    pass(1000);
    await discovery.resourceFor('example.org', 'Anchor');
    expect(await discovery.resourceFor('example.org', 'Boat', 'v1')).toEqual(resource('Boat'));
    expect((await discovery.all()).resources.map(({ kind }) => kind)).toEqual(['Pod', 'Boat']);
  });

  it('prefers the version that the API server would', async () => {
    const { discovery } = discoveryOf(await aggregatedServer({}));
    for (const version of ['v1alpha1', 'v1', 'v1beta1']) discovery.register(resource('Boat', version));
    expect(await discovery.resourceFor('example.org', 'Boat')).toMatchObject({ version: 'v1' });
  });

  it('is forgotten once the API server has listed it and lists it no more', async () => {
    const groups: Groups = { 'example.org': [{ version: 'v1', kinds: ['Boat'] }] };
    const { discovery, pass } = discoveryOf(await aggregatedServer(groups));
    discovery.register(resource('Boat'));
    await discovery.all();
    delete groups['example.org'];
    pass(1000);
    await discovery.resourceFor('example.org', 'Anchor');
    expect(await discovery.resourceFor('example.org', 'Boat')).toBeUndefined();
  });
});

describe('invalidate', () => {
  it('makes the next question about the group ask again, whatever the interval', async () => {
    const groups: Groups = { 'example.org': [{ version: 'v1', kinds: ['Boat'] }] };
    const server = await aggregatedServer(groups);
    const { discovery } = discoveryOf(server);
    await discovery.all();
    delete groups['example.org'];
    discovery.invalidate('example.org');
    expect(await discovery.resourceFor('', 'Pod')).toBeDefined();
    expect(server.received).toHaveLength(2);
    expect(await discovery.resourceFor('example.org', 'Boat')).toBeUndefined();
    expect(server.received).toHaveLength(4);
    discovery.invalidate();
    await discovery.resourceFor('', 'Pod');
    expect(server.received).toHaveLength(6);
  });

  it('is not undone by an answer that was on its way', async () => {
    const release = Promise.withResolvers<undefined>();
    const arrived = Promise.withResolvers<undefined>();
    let requests = 0;
    const server = await HttpServer.start(({ url }, response) => {
      const first = ++requests <= 2;
      const items =
        url === '/apis' && first
          ? [
              {
                metadata: { name: 'example.org' },
                versions: [{ version: 'v1', resources: [served('Boat')] }],
              },
            ]
          : [];
      const answer = (): void => sendJson(response, 200, { kind: 'APIGroupDiscoveryList', items });
      if (requests === 2) arrived.resolve(undefined);
      if (first) void release.promise.then(answer);
      else answer();
    });
    const { discovery } = discoveryOf(server);
    const before = discovery.resourceFor('example.org', 'Boat');
    await arrived.promise;
    discovery.invalidate('example.org');
    const after = discovery.resourceFor('example.org', 'Boat');
    release.resolve(undefined);
    expect(await before).toBeDefined();
    expect(await after).toBeUndefined();
    expect(await discovery.resourceFor('example.org', 'Boat')).toBeUndefined();
  });
});

describe('an API server without aggregated discovery', () => {
  const answers: Record<string, unknown> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/api/v1': {
      kind: 'APIResourceList',
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] },
        { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
        { name: 'pods/eviction', kind: 'Eviction', namespaced: true, verbs: ['create'] },
        { name: 'nodes', kind: 'Node', namespaced: false, verbs: ['get'] },
      ],
    },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        {
          name: 'example.org',
          versions: [{ version: 'v2beta1' }, { version: 'v1' }],
          preferredVersion: { version: 'v1' },
        },
        {
          name: 'metrics.k8s.io',
          versions: [{ version: 'v1beta1' }],
          preferredVersion: { version: 'v1beta1' },
        },
      ],
    },
    '/apis/example.org/v1': {
      kind: 'APIResourceList',
      resources: [{ name: 'boats', kind: 'Boat', namespaced: true, verbs: ['get'] }],
    },
    '/apis/example.org/v2beta1': {
      kind: 'APIResourceList',
      resources: [{ name: 'boats', kind: 'Boat', namespaced: true, verbs: ['get'] }],
    },
  };

  it('is asked version by version, without subresources, and may be incomplete too', async () => {
    const server = await HttpServer.start(({ url }, response) => {
      const answer = answers[url];
      if (answer === undefined) sendJson(response, 503, status(503, 'ServiceUnavailable', 'no endpoints'));
      else sendJson(response, 200, answer);
    });
    const { discovery } = discoveryOf(server);
    expect(await discovery.resourceFor('example.org', 'Boat')).toEqual(resource('Boat'));
    expect(await discovery.resourceFor('', 'Node')).toMatchObject({ plural: 'nodes', namespaced: false });
    expect(await discovery.resourceFor('', 'Eviction')).toBeUndefined();
    expect((await discovery.all()).resources.map(({ plural }) => plural)).toEqual([
      'pods',
      'nodes',
      'boats',
      'boats',
    ]);
    expect(await errorOf(discovery.resourceFor('metrics.k8s.io', 'PodMetrics'))).toBeInstanceOf(
      DiscoveryIncomplete,
    );
  });
});
