import type { ApiAccess } from '../controlplane/apiAccess.ts';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${ADMISSION}/validatingadmissionpolicies`;
const BINDINGS = `${ADMISSION}/validatingadmissionpolicybindings`;

/** What a policy looks at, in one namespace. */
interface Watched {
  /** API group; absent: the core group. */
  group?: string;
  resource: string;
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** CEL: whether a request is allowed. */
  allows: string;
}

/** A ValidatingAdmissionPolicy that refuses requests in one namespace, until it is ended. */
export class RefusingPolicy {
  readonly #api: ApiAccess;
  readonly #name: string;

  private constructor(api: ApiAccess, name: string) {
    this.#api = api;
    this.#name = name;
  }

  /** @param probe a request that it refuses: the API server takes a policy into use some time after it is stored */
  static async start(
    api: ApiAccess,
    namespace: string,
    { group = '', resource, operation, allows }: Watched,
    probe: () => Promise<{ status: number }>,
  ): Promise<RefusingPolicy> {
    const resourceRules = [
      { apiGroups: [group], apiVersions: ['*'], operations: [operation], resources: [resource] },
    ];
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    await api.must('POST', POLICIES, {
      metadata: { name: namespace },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { namespaceSelector, resourceRules },
        validations: [{ expression: allows, message: 'the house keeps it' }],
      },
    });
    await api.must('POST', BINDINGS, {
      metadata: { name: namespace },
      spec: { policyName: namespace, validationActions: ['Deny'] },
    });
    while ((await probe()).status < 400);
    return new RefusingPolicy(api, namespace);
  }

  async end(): Promise<void> {
    await this.#api.must('DELETE', `${BINDINGS}/${this.#name}`);
    await this.#api.must('DELETE', `${POLICIES}/${this.#name}`);
  }
}
