import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { customResourceDefinition } from '../api/crd.ts';
import { apiReference } from '../api/docs.ts';
import { RESOURCES } from '../api/group.ts';
import { KINDS } from '../api/kinds.ts';
import {
  CONTROLLER_USER,
  mutatingConfiguration,
  type Registration,
  validatingConfiguration,
} from '../engine/admission/registration.ts';
import { healthRulesReference } from './healthDocs.ts';

const CRDS = 'manifests/crds';
const WEBHOOKS = 'manifests/install/webhook/configurations.yaml';
const HEADER = '# Generated from api/ by `node manifests/generate.ts`. Do not edit.\n';
const WEBHOOKS_HEADER = '# Generated from engine/admission by `node manifests/generate.ts`. Do not edit.\n';

/** The webhook as it is installed; the CA bundle it writes itself. */
const INSTALLED: Registration = {
  name: 'convoy',
  client: (path) => ({ service: { namespace: 'convoy-system', name: 'convoy-webhook', path } }),
  controllerUser: CONTROLLER_USER,
  exemptNamespaces: ['kube-system', 'convoy-system'],
};

/** Every generated file by its path from the root of the repository. */
export function generatedFiles(): Map<string, string> {
  const crds = Object.values(KINDS).map((kind): [string, string] => [
    `${CRDS}/${RESOURCES[kind.kind].plural}.yaml`,
    HEADER + yaml(customResourceDefinition(kind)),
  ]);
  return new Map([
    ...crds,
    ['docs/api.md', apiReference()],
    ['docs/health-rules.md', healthRulesReference()],
    [WEBHOOKS, webhookConfigurations()],
  ]);
}

function webhookConfigurations(): string {
  const documents = [validatingConfiguration(INSTALLED), mutatingConfiguration(INSTALLED)].map(yaml);
  return WEBHOOKS_HEADER + documents.join('---\n');
}

function yaml(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Paths below `root` that differ from what is generated, are missing, or are CRDs of kinds that are no more. */
export async function outdatedFiles(root: string): Promise<string[]> {
  const files = generatedFiles();
  const differing: string[] = [];
  for (const [path, text] of files) {
    if ((await readOrNothing(join(root, path))) !== text) differing.push(path);
  }
  const present = (await readdir(join(root, CRDS))).map((name) => `${CRDS}/${name}`);
  return [...differing, ...present.filter((path) => !files.has(path))];
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function write(root: string): Promise<void> {
  for (const [path, text] of generatedFiles()) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function main(): Promise<void> {
  const root = join(import.meta.dirname, '..');
  if (!process.argv.includes('--check')) {
    await write(root);
    return;
  }
  const outdated = await outdatedFiles(root);
  if (outdated.length === 0) return;
  console.error(`out of date, run \`node manifests/generate.ts\`: ${outdated.join(', ')}`);
  process.exitCode = 1;
}

if (import.meta.main) await main();
