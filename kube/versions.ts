interface Version {
  major: number;
  /** GA before beta before alpha. */
  level: number;
  minor: number;
}

const LEVELS = ['alpha', 'beta', undefined];

/**
 * Sorts Kubernetes API versions as the API server does, the preferred one first: v2, v1, v1beta2, v1beta1, v1alpha1,
 * then other names by the alphabet (apimachinery's version.CompareKubeAwareVersionStrings).
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined || right === undefined) {
    if (left === right) return a < b ? -1 : Number(a > b);
    return left === undefined ? 1 : -1;
  }
  return right.level - left.level || right.major - left.major || right.minor - left.minor;
}

function parse(text: string): Version | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(text);
  if (match === null) return undefined;
  return { major: Number(match[1]), level: LEVELS.indexOf(match[2]), minor: Number(match[3] ?? 0) };
}
