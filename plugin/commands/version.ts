import type { KubeObject } from '../../api/object.ts';
import { ApiError } from '../../kube/errors.ts';
import { explain } from '../cli/explain.ts';
import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import type { CliProblem } from '../cli/problem.ts';
import type { Session } from '../cluster/session.ts';
import { CLIENT_VERSION } from '../version.ts';
import { type Versions, versionLines } from '../views/versionLines.ts';
import type { Command } from './command.ts';

/** `version`: what runs here and there. A server that cannot be asked leaves the client's version, and exit code 1. */
export const version: Command = async ({ flags, io }) => {
  const versions: Versions = { client: CLIENT_VERSION };
  let trouble: CliProblem | undefined;
  if (!flags.client) {
    try {
      // Loaded here, since --client asks nobody: connecting is what takes time to load.
      const { withSession } = await import('../cluster/session.ts');
      await withSession(flags, io.env, async (session) => {
        versions.server = await serverVersion(session);
        versions.controllers = await controllerVersions(session);
      });
    } catch (error) {
      trouble = explain(error);
    }
  }
  const { output } = flags;
  io.stdout.write(
    output === 'json' || output === 'yaml'
      ? await dataText(versions, output)
      : textOf(versionLines(versions)),
  );
  if (trouble !== undefined) throw trouble;
  return 0;
};

async function serverVersion({ transport }: Session): Promise<string> {
  const { body } = await transport.request({ method: 'GET', path: '/version' });
  const gitVersion = (body as { gitVersion?: unknown } | undefined)?.gitVersion;
  return typeof gitVersion === 'string' ? gitVersion : 'not told';
}

const VERSION_LABEL = 'app.kubernetes.io/version';

/** Of each controller of the cluster; undefined for those who may not list Deployments. */
async function controllerVersions(session: Session): Promise<Versions['controllers']> {
  try {
    const { findControllers } = await import('../cluster/controllers.ts');
    return (await findControllers(session)).map(({ metadata }: KubeObject) => ({
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      version: metadata.labels?.[VERSION_LABEL] ?? 'not told',
    }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
