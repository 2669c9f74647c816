import { GROUP } from '../../api/group.ts';
import { RenderError } from '../../engine/render/errors.ts';
import { ApiError, ConnectionError, KubeError } from '../../kube/errors.ts';
import { ConfigError } from '../../kube/kubeconfig.ts';
import { NameError } from '../../kube/resource.ts';
import { CliProblem, usageProblem } from './problem.ts';

/** Any error as what a person is told. Unknown ones are a fault of this program: those keep their stack. */
export function explain(error: unknown): CliProblem {
  if (error instanceof CliProblem) return error;
  if (error instanceof ApiError) return refusal(error);
  if (error instanceof ConnectionError) return unreachable(error);
  if (error instanceof ConfigError) return noWay(error);
  if (error instanceof RenderError) return notRendered(error);
  if (error instanceof NameError)
    return usageProblem(error.message, 'name the object, and its namespace with -n');
  if (error instanceof KubeError)
    return new CliProblem('the API server gave no usable answer', { why: [error.message] });
  const why = error instanceof Error ? (error.stack ?? error.message).split('\n') : [String(error)];
  return new CliProblem('kubectl convoy has failed', {
    why,
    hints: ['this is a fault of kubectl convoy itself: report it with the lines above'],
  });
}

/** By HTTP status; what is not here is told as the server said it. */
const REFUSAL_HINTS: Readonly<Record<number, (error: ApiError) => string[]>> = {
  401: () => [
    'log in again, or check the credentials of the kubeconfig: kubectl auth whoami',
    'choose another context with --context',
  ],
  403: () => ['ask for the rights named above, or see what you may do: kubectl auth can-i --list'],
  429: () => ['the API server is busy: try again'],
};

function refusal(error: ApiError): CliProblem {
  if (isUnknownKind(error)) {
    return new CliProblem("this cluster does not know Convoy's kinds", {
      why: [`${error.request} was not found`],
      hints: [
        `check for its CustomResourceDefinitions: kubectl get crd releases.${GROUP}`,
        'check that this is the right cluster: kubectl config current-context',
      ],
      cause: error,
    });
  }
  return new CliProblem('the API server refuses', {
    why: [error.serverMessage],
    hints: REFUSAL_HINTS[error.status]?.(error) ?? [],
    cause: error,
  });
}

/** The path of a kind that is not served answers 404 without naming an object. */
function isUnknownKind(error: ApiError): boolean {
  return error.status === 404 && error.details?.name === undefined && error.request.includes(GROUP);
}

/** By the code of the cause; certificates have many codes, told by their beginnings. */
const CONNECTION_HINTS: readonly (readonly [code: RegExp, hint: string])[] = [
  [/^ECONNREFUSED$/, 'is the API server running, and is this the right address?'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "check the server's name in the kubeconfig, and the network (VPN?)"],
  [/CERT|SIGNATURE|SELF_SIGNED|VERIFY/, 'check certificate-authority and tls-server-name in the kubeconfig'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|)$/,
    'check the network (VPN?), or give it longer with --request-timeout',
  ],
];

function unreachable(error: ConnectionError): CliProblem {
  const hints = CONNECTION_HINTS.filter(([code]) => code.test(error.code)).map(([, hint]) => hint);
  return new CliProblem('the API server cannot be reached', {
    why: [error.message],
    hints: [...hints, 'see which server is asked: kubectl config view --minify'],
    cause: error,
  });
}

function noWay(error: ConfigError): CliProblem {
  return new CliProblem('the cluster to ask is not known', {
    why: [error.message],
    hints: [
      'see what is there: kubectl config get-contexts',
      'name one with --context, or a file with --kubeconfig',
    ],
    cause: error,
  });
}

function notRendered(error: RenderError): CliProblem {
  const more = error.message.split('\n').slice(error.problems.length);
  return new CliProblem('the manifests cannot be rendered', {
    why: [...error.problems.map(({ where, what, remedy }) => `${where}: ${what}: ${remedy}`), ...more],
    hints: ['correct the lines named above'],
    cause: error,
  });
}
