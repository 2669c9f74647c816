import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMap, isScalar, isSeq, parseDocument, type Document, type YAMLMap } from 'yaml';

const FOLDER = join(import.meta.dirname, 'health');

const INTRO = `# Health rules that come with Convoy

Generated from manifests/health/ by \`node manifests/generate.ts\`. Do not edit.

What an operator says of its own objects is read by rules (how they work: [health.md](health.md#rules-of-your-own)). Those in
[manifests/health](../manifests/health) are written from the documentation of each operator; beside them, in manifests/health/cases,
stand objects as the operator writes them, and what a rule has to make of each. Apply those that you need, and let a Release take
them:

\`\`\`sh
kubectl apply -f manifests/health/
\`\`\`

\`\`\`yaml
spec:
  healthAssessment:
    globalRuleSetSelector: {matchLabels: {convoy.kumodo.io/rules: default}}
\`\`\`

A kind that is not here is judged as [health.md](health.md#by-kind) says: most operators keep to its conditions. A rule of your own
for the same kind goes before: in the Release, or in a rule set whose name sorts before.
`;

/** What the comments above a rule say, and its target. */
interface Entry {
  kind: string;
  group: string;
  healthy: string;
  source: string;
}

/**
 * @returns docs/health-rules.md: of each family the kinds, when they are Healthy, and where that is written
 * @throws Error where a rule has no comment that says it
 */
export function healthRulesReference(): string {
  const files = globSync('*.yaml', { cwd: FOLDER }).toSorted();
  const families = files.map((file) => readFamily(file));
  const kinds = families.reduce((sum, { entries }) => sum + entries.length, 0);
  const count = `\nThere are rules for ${kinds} kinds in ${families.length} files.\n`;
  return [INTRO, count, ...families.map(section)].join('');
}

function section({ name, about, entries }: ReturnType<typeof readFamily>): string {
  const rows = grouped(entries).map(
    (group) => `| ${kindsOf(group)} | ${group[0]?.healthy ?? ''} | ${group[0]?.source ?? ''} |\n`,
  );
  const head = '| kind | Healthy | from |\n|---|---|---|\n';
  return `\n## [${name}](../manifests/health/${name}.yaml)\n\n${about}\n\n${head}${rows.join('')}`;
}

/** Kinds of which the same is said share a row. */
function grouped(entries: readonly Entry[]): Entry[][] {
  return [...Map.groupBy(entries, ({ healthy, source }) => `${healthy}\n${source}`).values()];
}

function kindsOf(entries: readonly Entry[]): string {
  const byGroup = [...Map.groupBy(entries, ({ group }) => group)];
  return byGroup.map(([group, of]) => `${of.map(({ kind }) => kind).join(', ')} (${group})`).join('; ');
}

function readFamily(file: string) {
  const document = parseDocument(readFileSync(join(FOLDER, file), 'utf8'));
  return {
    name: basename(file, '.yaml'),
    about: aboutOf(document),
    entries: rulesOf(document, file).map((rule, index) => readEntry(rule, `${file}: spec.rules[${index}]`)),
  };
}

/** The comment at the head of a file stands before its first key. */
function aboutOf({ contents }: Document): string {
  const key = isMap(contents) ? contents.items[0]?.key : undefined;
  return sentence(isScalar(key) ? (key.commentBefore ?? '') : '');
}

function rulesOf(document: Document, file: string): YAMLMap[] {
  const rules = document.getIn(['spec', 'rules']);
  if (!isSeq(rules)) throw new Error(`${file} has no list spec.rules`);
  // The first comment of a list stands before the list itself.
  const [first] = rules.items;
  if (isMap(first)) first.commentBefore ??= rules.commentBefore ?? null;
  return rules.items.filter(isMap);
}

function readEntry(rule: YAMLMap, where: string): Entry {
  const [, healthy, source] = /^Healthy: (.*) Source: (.*)$/.exec(sentence(rule.commentBefore ?? '')) ?? [];
  if (healthy === undefined || source === undefined)
    throw new Error(`${where} needs a comment "# Healthy: <when>" and "# Source: <page or type>" above it`);
  return {
    kind: String(rule.getIn(['target', 'kind'])),
    group: String(rule.getIn(['target', 'group'])),
    healthy: cell(healthy),
    source: cell(source),
  };
}

/** A comment in one line. */
function sentence(comment: string): string {
  return comment.replace(/\s+/g, ' ').trim();
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
