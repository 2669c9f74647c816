import { printable } from './printable.ts';

export interface Versions {
  client: string;
  /** Absent where it was not asked. */
  server?: string;
  /** Undefined where it may not be asked. */
  controllers?: { namespace: string; name: string; version: string }[] | undefined;
}

/** One line each, as `kubectl version` has them. */
export function versionLines(versions: Versions): string[] {
  const { client, server, controllers } = versions;
  const lines = [`Client Version: v${client}`];
  if (server !== undefined)
    lines.push(`Server Version: ${printable(server)}`, ...controllerLines(controllers));
  return lines;
}

function controllerLines(controllers: Versions['controllers']): string[] {
  if (controllers === undefined) return ['Controller Version: not known (you may not list Deployments)'];
  if (controllers.length === 0)
    return ['Controller Version: not known (no Deployment of it here; it may run outside)'];
  return controllers.map(
    ({ namespace, name, version }) => `Controller Version: ${printable(`${version} (${namespace}/${name})`)}`,
  );
}
