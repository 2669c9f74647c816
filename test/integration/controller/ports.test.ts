import { expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { sourceOf } from '../../support/wavedObjects.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

/** A port as the source writes it; its number in one field or the other. */
interface Port {
  name: string;
  number: number;
  protocol?: string;
}

interface Kind {
  apiVersion: string;
  kind: string;
  /** Field of a port's number. */
  field: string;
  spec: (ports: object[]) => object;
  /** Where the live ports stand. */
  path: readonly string[];
}

const LABELS = { app: 'web' };
const template = (ports: object[], containers: string, restartPolicy = 'Always'): object => {
  const main = { name: 'main', image: 'registry.example/main:1' };
  const withPorts = { name: 'ported', image: 'registry.example/main:1', ports };
  const spec = containers === 'containers' ? [withPorts] : [main];
  const sidecars = containers === 'initContainers' ? [{ ...withPorts, restartPolicy: 'Always' }] : [];
  return {
    metadata: { labels: LABELS },
    spec: { restartPolicy, containers: spec, initContainers: sidecars },
  };
};
const workload = (ports: object[], containers = 'containers'): object => ({
  selector: { matchLabels: LABELS },
  template: template(ports, containers),
});
const IN_TEMPLATE = ['spec', 'template', 'spec', 'containers', '0', 'ports'];

const KINDS: readonly (Kind & { what: string })[] = [
  {
    what: 'a Service',
    apiVersion: 'v1',
    kind: 'Service',
    field: 'port',
    spec: (ports) => ({ selector: LABELS, ports }),
    path: ['spec', 'ports'],
  },
  {
    what: 'a container of a Deployment',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    field: 'containerPort',
    spec: (ports) => ({ replicas: 0, ...workload(ports) }),
    path: IN_TEMPLATE,
  },
  {
    what: 'a sidecar of a Deployment',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    field: 'containerPort',
    spec: (ports) => ({ replicas: 0, ...workload(ports, 'initContainers') }),
    path: ['spec', 'template', 'spec', 'initContainers', '0', 'ports'],
  },
  {
    what: 'a StatefulSet',
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    field: 'containerPort',
    spec: (ports) => ({ replicas: 0, serviceName: 'web', ...workload(ports) }),
    path: IN_TEMPLATE,
  },
  {
    what: 'a DaemonSet',
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    field: 'containerPort',
    spec: (ports) => workload(ports),
    path: IN_TEMPLATE,
  },
  {
    what: 'a CronJob',
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    field: 'containerPort',
    spec: (ports) => ({
      schedule: '0 0 1 1 *',
      suspend: true,
      jobTemplate: { spec: { template: template(ports, 'containers', 'Never') } },
    }),
    path: ['spec', 'jobTemplate', ...IN_TEMPLATE],
  },
];

const PATHS: Readonly<Record<string, string>> = {
  Service: '/api/v1 services',
  Deployment: '/apis/apps/v1 deployments',
  StatefulSet: '/apis/apps/v1 statefulsets',
  DaemonSet: '/apis/apps/v1 daemonsets',
  CronJob: '/apis/batch/v1 cronjobs',
};

function source({ apiVersion, kind, field, spec }: Kind, ports: readonly Port[]): string {
  const written = ports.map(({ name, number, protocol }) => ({
    name,
    [field]: number,
    ...(protocol === undefined ? {} : { protocol }),
  }));
  return sourceOf({ apiVersion, kind, metadata: { name: 'web' }, spec: spec(written) });
}

async function live({ kind }: Kind): Promise<ApiObject | undefined> {
  const [api, collection] = (PATHS[kind] ?? '').split(' ');
  return await releases.find(`${collection ?? ''}/web`, api);
}

/** `name number/protocol` of each live port. */
function portsOf(object: unknown, { path, field }: Kind): string[] {
  const ports = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], object);
  return (ports as Record<string, unknown>[])
    .map((port) => `${String(port['name'])} ${String(port[field])}/${String(port['protocol'])}`)
    .sort();
}

const DNS: Port = { name: 'dns', number: 53 };
const DNS_UDP: Port = { name: 'dns-udp', number: 53, protocol: 'UDP' };
const WEB: Port = { name: 'web', number: 80 };

test.each(KINDS)(
  'ports without a protocol of $what are TCP, in a first apply, again and changed',
  async (kind) => {
    await releases.create({ source: { inline: source(kind, [DNS, DNS_UDP]) } });
    await releases.ready('Applied');
    const first = await live(kind);
    expect(portsOf(first, kind)).toEqual(['dns 53/TCP', 'dns-udp 53/UDP']);
    await releases.sync();
    const again = await live(kind);
    expect(again?.['spec']).toEqual(first?.['spec']);

    const steps: [Port[], string[]][] = [
      [
        [WEB, DNS_UDP, DNS],
        ['dns 53/TCP', 'dns-udp 53/UDP', 'web 80/TCP'],
      ],
      [
        [{ ...DNS, name: 'renamed' }, DNS_UDP],
        ['dns-udp 53/UDP', 'renamed 53/TCP'],
      ],
      [
        [{ ...DNS_UDP, name: 'dns' }, WEB],
        ['dns 53/UDP', 'web 80/TCP'],
      ],
      [[DNS], ['dns 53/TCP']],
    ];
    for (const [ports, expected] of steps) {
      await releases.inline(source(kind, ports));
      await releases.ready('Applied');
      expect(portsOf(await live(kind), kind)).toEqual(expected);
    }
  },
);
