import type { FlagName } from '../cli/flags.ts';
import type { Command } from './command.ts';

/** One verb as the command line knows it; what it does is loaded when it is called. */
export interface Verb {
  /** Words behind `kubectl convoy`: a noun and a verb, or one word. */
  path: readonly [string, string] | readonly [string];
  /** Positional arguments, as yargs writes them. */
  positional?: '[NAME]' | '<NAME>';
  /** What may stand behind the NAME, as the help shows it. */
  words?: string;
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
  release: { aliases: ['releases', 'rel'], summary: 'Look at Releases, sync, pin and suspend them' },
  waves: { aliases: ['wave'], summary: 'Look at waves, of Releases and of manifests' },
  cluster: {
    aliases: ['clusters', 'ccl'],
    summary: 'Look at clusters, whether they are reached, and the Releases on them',
  },
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
    flags: ['namespace', 'live', 'to', 'filename', 'output'],
    flagTexts: {
      filename:
        'Manifests in place of its source, or a Release in place of its spec; file, folder or -; repeatable',
      to: 'A stored render in place of its source, by number or digest: what pinning it would change',
      output: 'table, json, yaml',
    },
    examples: [
      [
        'release diff podinfo -n apps',
        'Its source as it is now against the cluster; 1 where they differ, 2 for errors',
      ],
      ['release diff podinfo -f deploy/', 'What these manifests would change in place of its source'],
      ['release diff podinfo --to 3', 'What going back to number 3 of its history would change'],
      ['release diff podinfo -f release.yaml', 'What this Release would change in place of the one there'],
      [
        'release diff podinfo -o json',
        'Field by field, for programs; values of Secrets are hidden there too',
      ],
    ],
    load: async () => (await import('./releaseDiff.ts')).releaseDiff,
  },
  {
    path: ['release', 'history'],
    positional: '<NAME>',
    words: '[show N | diff N M]',
    summary: 'List the renders of a Release, show one, or hold two against each other',
    flags: ['namespace', 'output', 'no-headers'],
    examples: [
      ['release history podinfo -n apps', 'Numbers, digests, when they were applied and who asked'],
      ['release history podinfo show 3', 'The objects of one render; values of Secrets are hidden'],
      ['release history podinfo diff 3 4', 'What 4 has changed; 1 where they differ, 2 for errors'],
      ['release history podinfo diff sha256:9f2b5c 4', 'By the beginning of a digest'],
    ],
    load: async () => (await import('./releaseHistory.ts')).releaseHistory,
  },
  {
    path: ['release', 'pin'],
    positional: '<NAME>',
    summary: 'Keep a Release at a stored render, whatever its source says',
    flags: ['namespace', 'to', 'reason', 'output'],
    flagTexts: { output: 'table, json, yaml, name' },
    examples: [
      ['release pin podinfo --to 3 --reason INC-1234', 'Go back to number 3 of the history'],
      ['release pin podinfo --to sha256:9f2b5c0de1a4 --reason INC-1234', 'By the beginning of a digest'],
    ],
    load: async () => (await import('./releasePin.ts')).releasePin,
  },
  {
    path: ['release', 'unpin'],
    positional: '<NAME>',
    summary: 'Take the pin out: what the source says is applied again, as a new render',
    flags: ['namespace', 'output'],
    flagTexts: { output: 'table, json, yaml, name' },
    examples: [['release unpin podinfo -n apps', 'Back to the source']],
    load: async () => (await import('./releaseUnpin.ts')).releaseUnpin,
  },
  {
    path: ['release', 'suspend'],
    positional: '<NAME>',
    summary: 'Stop applying a Release; what is on the cluster stays as it is',
    flags: ['namespace', 'output'],
    flagTexts: { output: 'table, json, yaml, name' },
    examples: [['release suspend podinfo -n apps', 'Nothing is applied, put right or pruned from now on']],
    load: async () => (await import('./releaseSuspend.ts')).releaseSuspend,
  },
  {
    path: ['release', 'resume'],
    positional: '<NAME>',
    summary: 'Have a suspended Release applied again',
    flags: ['namespace', 'output'],
    flagTexts: { output: 'table, json, yaml, name' },
    examples: [['release resume podinfo -n apps', 'It goes on with what its source holds now']],
    load: async () => (await import('./releaseSuspend.ts')).releaseResume,
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
    path: ['cluster', 'get'],
    positional: '[NAME]',
    summary: 'List Clusters and whether they answer',
    flags: ['namespace', 'all-namespaces', 'selector', 'output', 'no-headers'],
    examples: [
      ['cluster get', 'Clusters of the current namespace'],
      ['cluster get -A -o wide', 'Those of all namespaces, with when they answered last'],
      ['cluster get prod -n apps -o yaml', 'One Cluster as it is'],
    ],
    load: async () => (await import('./clusterGet.ts')).clusterGet,
  },
  {
    path: ['cluster', 'status'],
    positional: '<NAME>',
    summary: 'Show whether a Cluster answers, and which of its Releases are not ready',
    flags: ['namespace', 'output'],
    examples: [
      ['cluster status prod -n apps', 'One page about the Cluster'],
      ['cluster status prod -n apps -o wide', 'The same with all its Releases'],
    ],
    load: async () => (await import('./clusterStatus.ts')).clusterStatus,
  },
  {
    path: ['cluster', 'waves'],
    positional: '[NAME]',
    summary: 'Show the Releases of a cluster by wave, and which waits for which',
    flags: ['namespace', 'output', 'no-headers'],
    flagTexts: { output: 'table, json, yaml' },
    examples: [
      ['cluster waves -n apps', 'Releases for the cluster that the controller runs on'],
      ['cluster waves prod -n apps', 'Those for the Cluster prod'],
      ['cluster waves -n apps -o json', 'The same for programs, with exact times'],
    ],
    load: async () => (await import('./clusterWaves.ts')).clusterWaves,
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
    path: ['lint'],
    summary: 'Check Releases and manifests by all rules of admission, offline',
    flags: ['filename', 'namespace', 'output'],
    flagTexts: { output: 'table, json, yaml', namespace: 'Of objects that have none; default' },
    isOffline: true,
    examples: [
      ['lint -f release.yaml', 'What the admission webhook would refuse (exit code 1) or warn of'],
      ['lint -f deploy/ -f releases/', 'All files of folders'],
      ['lint -f - -o json', 'What is piped in, for programs'],
    ],
    load: async () => (await import('./lint.ts')).lint,
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
