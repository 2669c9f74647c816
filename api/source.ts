import { boolean, digest, exactlyOne, object, objectName, oneOf, optional, string } from './schema.ts';
import { dataKey, restrictingSelector, secretRef } from './fragments.ts';

/** Where a Release's content comes from; the order is that of the documentation. */
const SOURCE_KINDS = ['inline', 'configMap', 'oci', 'git', 'http', 'flux'] as const;

const FLUX_KINDS = ['GitRepository', 'OCIRepository', 'Bucket', 'HelmChart'] as const;
/** A Release is one object of at most about 1.5 MiB; larger content belongs in another source. */
const MAX_INLINE = 1_048_576;

const semver = () => string('A semver range; the highest version in it is taken.', 128, { minLength: 1 });

const configMap = object(
  'ConfigMaps of the Release’s namespace; watched: a change reconciles at once.',
  {
    name: optional(objectName('One ConfigMap.')),
    selector: optional(restrictingSelector('Several ConfigMaps, in order of name.')),
    key: optional(
      dataKey(
        'Only this key of `data` or `binaryData`. Without it all keys; a binaryData key ending in .tar.gz is unpacked.',
      ),
    ),
  },
  {
    rules: [
      exactlyOne(['name', 'selector'], 'set exactly one of name (one ConfigMap) and selector (several)'),
    ],
  },
);

const oci = object(
  'An artifact of an OCI registry.',
  {
    url: string('oci://REGISTRY/REPOSITORY, without a tag.', 2048, {
      pattern: '^oci://[^/]+/.+$',
      expected: 'oci://REGISTRY/REPOSITORY',
    }),
    tag: optional(string('The tag to follow.', 128, { pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*$' })),
    semver: optional(semver()),
    digest: optional(digest('Exactly this artifact.')),
    secretRef: optional(secretRef('A kubernetes.io/dockerconfigjson Secret.')),
    insecure: optional(boolean('Plain HTTP.', { documentedDefault: false })),
  },
  { rules: [exactlyOne(['tag', 'semver', 'digest'], 'set exactly one of tag, semver and digest')] },
);

const git = object(
  'A git repository.',
  {
    url: string('https://… or ssh://…', 2048, {
      pattern: '^(https|ssh)://[^/]+/.+$',
      expected: 'an https:// or ssh:// URL',
    }),
    branch: optional(string('The branch to follow.', 255, { minLength: 1 })),
    tag: optional(string('The tag to follow.', 255, { minLength: 1 })),
    semver: optional(semver()),
    commit: optional(
      string('Exactly this commit.', 64, {
        pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
        expected: 'a whole commit id',
      }),
    ),
    secretRef: optional(secretRef('User name and token, an ssh key with known_hosts, or a CA.')),
  },
  {
    rules: [
      exactlyOne(['branch', 'tag', 'semver', 'commit'], 'set exactly one of branch, tag, semver and commit'),
    ],
  },
);

const http = object('A tar.gz or a YAML file.', {
  url: string('http:// or https:// address of the file.', 2048, {
    pattern: '^https?://[^/]+.*$',
    expected: 'an http:// or https:// URL',
  }),
  digest: optional(digest('What the file must be.')),
  secretRef: optional(secretRef('User name and password, a bearer token, or a CA.')),
});

const flux = object(
  'The artifact of an object of Flux’s source-controller in the Release’s namespace; watched.',
  {
    kind: oneOf('Its kind.', FLUX_KINDS),
    name: objectName('Its name.'),
  },
);

export const source = object(
  'Where the content comes from: exactly one.',
  {
    inline: optional(string('Kubernetes objects as YAML, here in the Release.', MAX_INLINE)),
    configMap: optional(configMap),
    oci: optional(oci),
    git: optional(git),
    http: optional(http),
    flux: optional(flux),
  },
  { rules: [exactlyOne(SOURCE_KINDS, 'set exactly one of inline, configMap, oci, git, http and flux')] },
);
