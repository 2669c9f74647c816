import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PREFIX } from '../../../api/annotations.ts';
import type { GlobalHealthRuleSet } from '../../../api/healthRules.ts';
import type { KubeObject } from '../../../api/object.ts';
import { toObjects } from '../../../engine/render/objects.ts';
import { parseYaml } from '../../../engine/render/yaml.ts';

const FOLDER = join(import.meta.dirname, '../../../manifests/health');

/** A file of rule sets: what one operator, or several of one house, bring. */
export interface Family {
  name: string;
  sets: GlobalHealthRuleSet[];
  cases: HealthCase[];
}

/** An object as it can be on a cluster, and what a rule has to make of it. */
export interface HealthCase {
  file: string;
  name: string;
  state: string;
  /** A part of the message; '' where none is expected. */
  message: string;
  object: KubeObject;
}

/** All families in manifests/health, each with its cases. */
export function loadFamilies(): Family[] {
  return globSync('*.yaml', { cwd: FOLDER }).map((file) => {
    const name = basename(file, '.yaml');
    return { name, sets: objectsOf(file) as GlobalHealthRuleSet[], cases: casesOf(name) };
  });
}

/** Folders of cases, whether a family has their name or not. */
export function caseFolders(): string[] {
  return [...new Set(globSync('cases/*/*.yaml', { cwd: FOLDER }).map((file) => basename(dirname(file))))];
}

function casesOf(family: string): HealthCase[] {
  return globSync(`cases/${family}/*.yaml`, { cwd: FOLDER }).flatMap((file) =>
    objectsOf(file).map((object) => readCase(file, object)),
  );
}

function readCase(file: string, object: KubeObject): HealthCase {
  const annotation = (name: string): string => object.metadata.annotations?.[`${PREFIX}test-${name}`] ?? '';
  return {
    file: basename(file),
    name: annotation('case'),
    state: annotation('state'),
    message: annotation('message'),
    object,
  };
}

function objectsOf(file: string): KubeObject[] {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return toObjects(parseYaml(text, file), file).map(({ object }) => object);
}
