import type { KubeObject } from '../../api/object.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { textOf } from '../cli/io.ts';
import { isDataOutput, objectsText, objectText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import type { ListTable } from '../views/table.ts';
import type { Command, Invocation } from './command.ts';
import { getNamed } from './getNamed.ts';

/** The verb `get [NAME]` of a kind: one object, or all of a namespace, or of all namespaces. */
export function getObjects<T extends KubeObject>(resource: ApiResource, tableOf: ListTable<T>): Command {
  const { kind } = resource;
  return async (invocation) => {
    const { flags, name, io } = invocation;
    refuseContradictions(invocation, kind);
    const { output } = flags;
    if (name !== undefined) {
      const object = await withSession(flags, io.env, (session) => getNamed<T>(session, resource, name));
      io.stdout.write(
        isDataOutput(output) ? await objectText(object, output) : tableText(tableOf, [object], invocation),
      );
      return 0;
    }
    const { items, namespace } = await withSession(flags, io.env, async (session) => {
      const scope = scopeOf(invocation, session.namespace);
      return { ...(await session.client.listAll<T>(resource, scope)), namespace: session.namespace };
    });
    if (isDataOutput(output)) io.stdout.write(await objectsText(items, output));
    else if (items.length > 0) io.stdout.write(tableText(tableOf, items, invocation));
    else io.stderr.write(nothingFound(kind, flags.allNamespaces ? undefined : namespace, flags.selector));
    return 0;
  };
}

function refuseContradictions({ name, flags }: Invocation, kind: string): void {
  if (name === undefined) return;
  if (flags.allNamespaces)
    throw usageProblem(`one ${kind} cannot be named across all namespaces`, 'leave out -A or the name');
  if (flags.selector !== undefined)
    throw usageProblem('a name and a selector contradict each other', 'leave out -l or the name');
}

/** Those that the flags name, in the namespace that they are of. */
function scopeOf({ flags }: Invocation, namespace: string): { namespace?: string; labelSelector?: string } {
  return {
    ...(flags.allNamespaces ? {} : { namespace }),
    ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
  };
}

function tableText<T>(
  tableOf: ListTable<T>,
  items: readonly T[],
  { flags, io, paint, width }: Invocation,
): string {
  const { output, allNamespaces, headers } = flags;
  return textOf(
    tableOf(items, { now: io.now(), wide: output === 'wide', allNamespaces, headers, width, paint }),
  );
}

function nothingFound(kind: string, namespace: string | undefined, selector: string | undefined): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `No ${kind}s found${where}${selector === undefined ? '' : ` with ${selector}`}.\n`;
}
