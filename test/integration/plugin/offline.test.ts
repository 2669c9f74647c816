import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { useCluster } from '../../controlplane/fixture.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const convoy = useConvoy(cluster);

/** No cluster can be reached with it. */
const OFFLINE = { kubeconfig: '/does/not/exist' };

const ORDERED = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, annotations: {convoy.kumodo.io/sync-wave: "1"}}
`;
const MISORDERED = ORDERED.replace('"1"', '"-1"');

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'convoy-offline-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

describe('kubectl convoy waves plan', () => {
  it('plans what is piped in, without a cluster', async () => {
    const { code, stdout, stderr } = await convoy(['waves', 'plan', '-f', '-'], {
      stdin: ORDERED,
      ...OFFLINE,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^2 objects in 2 waves\n\nWave 0: 1 object\n {2}Namespaces\n/);
  });

  it('plans files and folders, by names in the order in which they are applied', async () => {
    const path = await folder();
    await writeFile(join(path, 'all.yaml'), ORDERED);
    const { code, stdout } = await convoy(['waves', 'plan', '-f', path, '-o', 'name'], OFFLINE);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'namespace/shop\ndeployment.apps/web\n' });
  });

  it('ends with 1 where the order cannot be, and names both objects', async () => {
    const { code, stdout, stderr } = await convoy(['waves', 'plan', '-f-'], {
      stdin: MISORDERED,
      ...OFFLINE,
    });
    expect(code).toBe(1);
    expect(stdout).toContain('Wave -1: 1 object');
    expect(stderr).toMatch(
      /error: a Release with these manifests would be refused\n {2}why: apps\/Deployment web in shop \(wave -1\).*Namespace shop \(wave 0\)/,
    );
  });

  it('gives data to programs', async () => {
    const json = await convoy(['waves', 'plan', '-f', '-', '-o', 'json'], { stdin: MISORDERED, ...OFFLINE });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      objects: 2,
      waves: [
        { number: -1, stages: [{ name: 'Regular', objects: [{ kind: 'Deployment', name: 'web' }] }] },
        { number: 0 },
      ],
      problems: [expect.stringContaining('wave -1')],
    });
    const yaml = await convoy(['waves', 'plan', '-f', '-', '-o', 'yaml'], { stdin: ORDERED, ...OFFLINE });
    expect(parse(yaml.stdout)).toMatchObject({ objects: 2, problems: [] });
  });

  it('checks a Release before it plans it', async () => {
    const release = (spec: object) =>
      JSON.stringify({
        apiVersion: 'core.convoy.kumodo.io/v1alpha1',
        kind: 'Release',
        metadata: { name: 'r', namespace: 'apps' },
        spec,
      });
    const good = await convoy(['waves', 'plan', '-f', '-'], {
      stdin: release({ source: { inline: ORDERED } }),
      ...OFFLINE,
    });
    expect(good).toMatchObject({ code: 0, stderr: '' });
    const bad = await convoy(['waves', 'plan', '-f', '-'], {
      stdin: release({ source: {}, interval: 'often' }),
      ...OFFLINE,
    });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('spec.interval');
  });

  it('names file and line of what is no manifest', async () => {
    const { code, stderr } = await convoy(['waves', 'plan', '-f', '-'], {
      stdin: `${ORDERED}---\na: b\n`,
      ...OFFLINE,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: the manifests cannot be rendered\n {2}why: stdin:10: apiVersion is missing/,
    );
  });

  it('ends with 2 where nothing is named', async () => {
    expect(await convoy(['waves', 'plan'], OFFLINE)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('kubectl convoy version', () => {
  const client = `Client Version: v${packageJson.version}\n`;

  it('asks nobody for its own', async () => {
    expect(await convoy(['version', '--client'], OFFLINE)).toEqual({ code: 0, stdout: client, stderr: '' });
  });

  it('tells the server and that there is no controller', async () => {
    const { code, stdout } = await convoy(['version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Client Version: v.*\nServer Version: v1\..*\nController Version: /);
  });

  it('tells its own, and ends with 1, where the server cannot be reached', async () => {
    const { code, stdout, stderr } = await convoy(['version'], OFFLINE);
    expect({ code, stdout }).toEqual({ code: 1, stdout: client });
    expect(stderr).toContain('the cluster to ask is not known');
  });
});

describe('a kubeconfig with a credential plugin', () => {
  it('is used by the bundle alone, wherever it lies', async () => {
    const path = await folder();
    const config = parse(await cluster.kubectl('config', 'view', '--raw')) as {
      users: { user: Record<string, string> }[];
    };
    const pem = (field: string) => Buffer.from(config.users[0]?.user[field] ?? '', 'base64').toString();
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: {
        clientCertificateData: pem('client-certificate-data'),
        clientKeyData: pem('client-key-data'),
      },
    };
    await writeFile(join(path, 'credential.json'), JSON.stringify(credential));
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'cat',
      args: [join(path, 'credential.json')],
      interactiveMode: 'Never',
    };
    await writeFile(
      join(path, 'kubeconfig'),
      JSON.stringify({ ...config, users: config.users.map((user) => ({ ...user, user: { exec } })) }),
    );
    const { code, stdout } = await convoy(['version'], { kubeconfig: join(path, 'kubeconfig') });
    expect(code).toBe(0);
    expect(stdout).toContain('Server Version: v1.');
  });
});

describe('kubectl convoy health check', () => {
  const ship = (name: string, hold: string) => ({
    apiVersion: 'sea.example/v1',
    kind: 'Ship',
    metadata: { name, namespace: 'port' },
    status: { hold, since: '2020-01-01T00:00:00Z' },
  });
  const rules = (healthy: string) => ({
    apiVersion: 'core.convoy.kumodo.io/v1alpha1',
    kind: 'GlobalHealthRuleSet',
    metadata: { name: 'ships' },
    spec: { rules: [{ target: { group: 'sea.example', kind: 'Ship' }, healthy }] },
  });
  const LADEN =
    "quantity(status.hold).isGreaterThan(quantity('500Mi')) && now - timestamp(status.since) > duration('1h') && " +
    "status.hold.matches('^[0-9]+Gi$')";

  async function files(healthy: string): Promise<string> {
    const path = await folder();
    await writeFile(join(path, 'rules.json'), JSON.stringify(rules(healthy)));
    await writeFile(
      join(path, 'ships.yaml'),
      [ship('ark', '2Gi'), ship('raft', '1Mi')].map((one) => JSON.stringify(one)).join('\n---\n'),
    );
    return path;
  }

  it('judges objects by rules, and ends with 0 whatever they are', async () => {
    const path = await files(LADEN);
    const args = ['health', 'check', '-f', join(path, 'ships.yaml'), '--rules', path];
    const { code, stdout, stderr } = await convoy([...args, '-o', 'json'], OFFLINE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'ark', state: 'Healthy', rule: 'rules[0] of ships' },
      { name: 'raft', state: 'Unknown', rule: 'rules[0] of ships' },
    ]);
    expect((await convoy(args, OFFLINE)).stdout).toMatch(
      /^STATE +OBJECT +RULE +MESSAGE\nHealthy +sea\.example\/Ship ark in port/,
    );
  });

  it('ends with 1 where a rule is wrong, and says which and where', async () => {
    const path = await files('stats.hold');
    const { code, stdout, stderr } = await convoy(['health', 'check', '-f', path, '--rules', path], OFFLINE);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('rules.json:1: core.convoy.kumodo.io/GlobalHealthRuleSet ships: spec.rules[0]');
    expect(stderr).toContain('unknown variable stats; did you mean status?');
  });

  it('ends with 2 where there is nothing to check', async () => {
    const { code, stderr } = await convoy(['health', 'check'], OFFLINE);
    expect(code).toBe(2);
    expect(stderr).toContain('there is nothing to check');
  });
});

describe('kubectl convoy lint', () => {
  const release = (spec: string) =>
    `apiVersion: core.convoy.kumodo.io/v1alpha1\nkind: Release\nmetadata: {name: shop}\nspec: ${spec}\n`;

  it('ends with 0 for what admission takes, with 1 for what it refuses, without a cluster', async () => {
    const good = { stdin: release('{source: {configMap: {name: shop}}}'), ...OFFLINE };
    expect(await convoy(['lint', '-f', '-'], good)).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: '1 object in 1 file: 0 errors, 0 warnings\n',
    });
    const bad = { stdin: release('{source: {configMap: {name: shop}}, historyLimit: 99}'), ...OFFLINE };
    const { code, stdout, stderr } = await convoy(['lint', '-f', '-'], bad);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^error: stdin.*Release shop: spec\.historyLimit: is 99: must be 50 or less\n/);
    const json = await convoy(['lint', '-f', '-', '-o', 'json'], bad);
    expect(JSON.parse(json.stdout)).toMatchObject({ objects: 1, findings: [{ severity: 'error' }] });
  });

  it('takes the examples of this repository', async () => {
    const { code, stdout } = await convoy(
      ['lint', '-f', 'manifests/examples/shop-release.yaml', '-f', 'manifests/examples/shop'],
      OFFLINE,
    );
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 errors') as string,
    });
  });

  it('needs a file', async () => {
    expect(await convoy(['lint'], OFFLINE)).toMatchObject({ code: 2, stdout: '' });
  });
});
