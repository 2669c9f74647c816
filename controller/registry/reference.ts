/** A repository of a registry. */
export interface Repository {
  /** `host` or `host:port`, as it is written. */
  host: string;
  /** Path below the registry, such as `team/renders`. */
  name: string;
  /** `https://host`, without a slash at the end. */
  origin: string;
}

const SCHEME = 'oci://';
const HOST = /^(?:\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/i;
/** The name of a repository (distribution specification). */
const NAME = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;
/** The name by which everybody knows it is not the one that it answers by. */
const DOCKER_HUB = 'docker.io';

/**
 * Reads `oci://HOST/REPOSITORY`, without a tag.
 * @param plainHttp no TLS; registries on loopback are asked without it in any case
 * @returns what is wrong with it where it is none
 */
export function parseRepository(
  text: string,
  { plainHttp = false }: { plainHttp?: boolean } = {},
): Repository | { problem: string } {
  const problem = `${text}: it takes ${SCHEME}HOST/REPOSITORY, for example ${SCHEME}registry.example/team/renders`;
  if (!text.startsWith(SCHEME)) return { problem };
  const rest = text.slice(SCHEME.length);
  const slash = rest.indexOf('/');
  const [host, name] = [rest.slice(0, slash), rest.slice(slash + 1)];
  if (slash < 0 || !HOST.test(host) || name.length > 255) return { problem };
  if (!NAME.test(name)) return { problem: `${problem}, in lower case and without a tag` };
  const scheme = plainHttp || isLoopback(host) ? 'http' : 'https';
  return { host, name, origin: `${scheme}://${host === DOCKER_HUB ? 'registry-1.docker.io' : host}` };
}

/** True for `localhost` and the addresses of this machine, with or without a port. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
