import type { FlagName } from '../cli/flags.ts';
import type { Command } from './command.ts';

/** One verb as the command line knows it; what it does is loaded when it is called. */
export interface Verb {
  /** Words behind `kubectl convoy`: a noun and a verb, or one word. */
  path: readonly [string, string] | readonly [string];
  /** Positional arguments, as yargs writes them. */
  positional?: '[NAME]' | '<NAME>';
  summary: string;
  flags: readonly FlagName[];
  /** What flags mean here, where it is not what they mean elsewhere. */
  flagTexts?: Readonly<Record<string, string>>;
  /** Asks no cluster: flags that say how to reach one are taken, as kubectl passes them on, and not told. */
  isOffline?: true;
  /** Command line behind `kubectl convoy` and what it does. */
  examples: readonly (readonly [line: string, what: string])[];
  load: () => Promise<Command>;
}

/** Nouns with what they are about. */
export const NOUNS: Readonly<Record<string, { aliases: readonly string[]; summary: string }>> = {
  release: { aliases: ['releases', 'rel'], summary: 'Look at Releases, and ask for syncs' },
  waves: { aliases: ['wave'], summary: 'Look at waves, of Releases and of manifests' },
  health: { aliases: [], summary: 'Try health rules on objects' },
};

export const VERBS: readonly Verb[] = [
  {
    path: ['release', 'get'],
    positional: '[NAME]',
    summary: 'List Releases and whether they are ready',
    flags: ['namespace', 'all-namespaces', 'selector', 'output', 'no-headers'],
    examples: [
      ['release get', 'Releases of the current namespace'],
      ['release get -A -o wide', 'Releases of all namespaces, with more columns'],
      ['release get podinfo -n apps -o yaml', 'One Release as it is'],
    ],
    load: async () => (await import('./releaseGet.ts')).releaseGet,
  },
  {
    path: ['release', 'status'],
    positional: '<NAME>',
    summary: 'Show how a Release stands, what failed and what to do',
    flags: ['namespace', 'watch', 'output'],
    examples: [
      ['release status podinfo -n apps', 'One page about the Release'],
      ['release status podinfo --watch', 'The same, as it changes'],
      ['release status podinfo -n apps -o wide', 'The same with every object'],
    ],
    load: async () => (await import('./releaseStatus.ts')).releaseStatus,
  },
  {
    path: ['release', 'why'],
    positional: '<NAME>',
    summary: 'Tell what a Release waits for, since when, until when, and what to do',
    flags: ['namespace', 'logs', 'output'],
    flagTexts: { output: 'table, json, yaml' },
    examples: [
      ['release why podinfo -n apps', 'The gate, the objects, and what their pods say'],
      ['release why podinfo --logs', 'With the last log lines of a container that fails'],
      ['release why podinfo -o json', 'The same for programs, with exact times'],
    ],
    load: async () => (await import('./releaseWhy.ts')).releaseWhy,
  },
  {
    path: ['release', 'sync'],
    positional: '<NAME>',
    summary: 'Ask for a sync now, and follow it with --wait',
    flags: ['namespace', 'force', 'wait', 'timeout', 'output'],
    flagTexts: { output: 'table, json, yaml' },
    examples: [
      ['release sync podinfo -n apps', 'Ask, and leave'],
      [
        'release sync podinfo --wait',
        'Stay until it is applied and ready (0), has failed (1) or takes too long (124)',
      ],
      ['release sync podinfo --force --wait --timeout 5m', 'Start the rollout anew, also after a failed one'],
    ],
    load: async () => (await import('./releaseSync.ts')).releaseSync,
  },
  {
    path: ['release', 'diff'],
    positional: '<NAME>',
    summary: 'Show what a sync would change on the cluster right now',
    flags: ['namespace', 'live', 'filename', 'output'],
    flagTexts: {
      filename:
        'Manifests in place of its source, or a Release in place of its spec; file, folder or -; repeatable',
      output: 'table, json, yaml',
    },
    examples: [
      [
        'release diff podinfo -n apps',
        'Its source as it is now against the cluster; 1 where they differ, 2 for errors',
      ],
      ['release diff podinfo -f deploy/', 'What these manifests would change in place of its source'],
      ['release diff podinfo -f release.yaml', 'What this Release would change in place of the one there'],
      [
        'release diff podinfo -o json',
        'Field by field, for programs; values of Secrets are hidden there too',
      ],
    ],
    load: async () => (await import('./releaseDiff.ts')).releaseDiff,
  },
  {
    path: ['waves', 'plan'],
    positional: '[NAME]',
    summary: 'Show the waves that a Release, or manifests offline, would be applied in',
    flags: ['filename', 'namespace', 'output'],
    flagTexts: {
      namespace:
        'Of the Release; with -f for objects without one, by default as a Release in it says, else default',
    },
    examples: [
      ['waves plan podinfo -n apps', 'A Release, with what its source holds now'],
      ['waves plan -f deploy/', 'All manifests of a folder'],
      ['waves plan -f release.yaml', 'A Release with inline manifests'],
      ['waves plan -f crds.yaml -f app.yaml -n apps', 'Several files, into a namespace'],
      ['waves plan -f -', 'What is piped in'],
    ],
    load: async () => (await import('./wavesPlan.ts')).wavesPlan,
  },
  {
    path: ['waves', 'status'],
    positional: '[NAME]',
    summary: 'Show how far the waves of Releases are, and what they wait for',
    flags: ['namespace', 'all-namespaces', 'watch', 'output', 'no-headers'],
    flagTexts: { output: 'table, wide, json, yaml' },
    examples: [
      ['waves status podinfo -n apps', 'The waves of one Release'],
      ['waves status podinfo --watch', 'The same, as it goes on'],
      ['waves status -A', 'Those of every Release'],
      ['waves status podinfo -o json', 'With exact times, and the objects that are waited for'],
    ],
    load: async () => (await import('./wavesStatus.ts')).wavesStatus,
  },
  {
    path: ['health', 'check'],
    summary: 'Show how healthy objects are, by which rule and why, offline',
    flags: ['filename', 'rules', 'output', 'no-headers'],
    flagTexts: { output: 'table, wide, json, yaml' },
    isOffline: true,
    examples: [
      ['health check -f objects.yaml', 'By what Convoy knows of the kinds'],
      ['health check -f objects/ --rules rules.yaml', 'By rule sets, or the rules of a Release, first'],
      ['health check -f - --rules manifests/health -o json', 'What is piped in, for programs'],
    ],
    load: async () => (await import('./healthCheck.ts')).healthCheck,
  },
  {
    path: ['version'],
    summary: 'Show the versions of the plugin, the server and the controller',
    flags: ['client', 'output'],
    examples: [
      ['version', 'All three'],
      ['version --client', 'Only the plugin, without asking the cluster'],
    ],
    load: async () => (await import('./version.ts')).version,
  },
];
