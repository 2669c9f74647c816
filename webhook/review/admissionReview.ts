import type { KubeObject } from '../../api/object.ts';
import { isMap } from './json.ts';

export const ADMISSION_API_VERSION = 'admission.k8s.io/v1';
const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** What an API server asks (admission.k8s.io/v1 AdmissionRequest), as far as Convoy reads it. */
export interface AdmissionRequest {
  uid: string;
  /** Of the object, as it is sent here. */
  kind: { group: string; version: string; kind: string };
  /** '' for a cluster-scoped object; of a Namespace its own name. */
  namespace: string;
  name: string;
  operation: (typeof OPERATIONS)[number];
  /** Who asks, as the API server has authenticated them. */
  user: string;
  /** Absent in a deletion. Its name may be missing where the API server is to make one. */
  object: KubeObject | undefined;
  /** Absent in a creation. */
  oldObject: KubeObject | undefined;
  fieldManager: string | undefined;
}

/** A body that is no AdmissionReview: its message says what is wrong with it. */
export class MalformedReview extends Error {
  override name = 'MalformedReview';
}

/**
 * Reads the body of a request. Nothing of it is believed: whoever reaches the port may send anything.
 * @throws MalformedReview
 */
export function readReview(body: unknown): AdmissionRequest {
  const review = map(body, 'the body');
  const { apiVersion, kind } = review;
  expect(
    apiVersion === ADMISSION_API_VERSION && kind === 'AdmissionReview',
    `the body is no AdmissionReview of ${ADMISSION_API_VERSION}`,
  );
  return readRequest(map(review['request'], 'request'));
}

function readRequest(request: Record<string, unknown>): AdmissionRequest {
  const kind = map(request['kind'], 'request.kind');
  const userInfo = map(request['userInfo'], 'request.userInfo');
  const options = request['options'];
  const operation = OPERATIONS.find((one) => one === request['operation']);
  if (operation === undefined)
    throw new MalformedReview(`request.operation is none of ${OPERATIONS.join(', ')}`);
  const uid = text(request['uid'], 'request.uid');
  expect(uid !== '', 'request.uid is empty');
  const fieldManager = isMap(options) ? options['fieldManager'] : undefined;
  return {
    uid,
    kind: {
      group: text(kind['group'], 'request.kind.group'),
      version: text(kind['version'], 'request.kind.version'),
      kind: text(kind['kind'], 'request.kind.kind'),
    },
    namespace: text(request['namespace'], 'request.namespace'),
    name: text(request['name'], 'request.name'),
    operation,
    user: text(userInfo['username'], 'request.userInfo.username'),
    object: object(request['object'], 'request.object'),
    oldObject: object(request['oldObject'], 'request.oldObject'),
    fieldManager: typeof fieldManager === 'string' ? fieldManager : undefined,
  };
}

function object(value: unknown, path: string): KubeObject | undefined {
  if (value === undefined || value === null) return undefined;
  const found = map(value, path);
  const metadata = map(found['metadata'], `${path}.metadata`);
  for (const field of ['apiVersion', 'kind'])
    expect(typeof found[field] === 'string', `${path}.${field} is no text`);
  for (const field of ['labels', 'annotations']) texts(metadata[field], `${path}.metadata.${field}`);
  for (const field of ['name', 'namespace']) text(metadata[field], `${path}.metadata.${field}`);
  return withoutNulls(found, metadata);
}

/** Where JSON says null, Kubernetes means absent. */
function withoutNulls(found: Record<string, unknown>, metadata: Record<string, unknown>): KubeObject {
  const present = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
  return { ...found, metadata: { ...present, name: present['name'] ?? '' } } as KubeObject;
}

function map(value: unknown, path: string): Record<string, unknown> {
  if (!isMap(value)) throw new MalformedReview(`${path} is no object`);
  return value;
}

/** What may be left out is empty. */
function text(value: unknown, path: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new MalformedReview(`${path} is no text`);
  return value;
}

function texts(value: unknown, path: string): void {
  if (value === undefined || value === null) return;
  for (const one of Object.values(map(value, path)))
    expect(typeof one === 'string', `${path} holds no texts`);
}

function expect(condition: boolean, message: string): void {
  if (!condition) throw new MalformedReview(message);
}
