import type { KubeObject } from '../api/object.ts';
import { microTime } from './microTime.ts';
import type { ApiResource } from './resource.ts';

export const EVENTS: ApiResource = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  verbs: ['create', 'get', 'list', 'watch', 'patch', 'update', 'delete'],
};

/** Something that happened to an object, for the people who look at it. */
export interface EventInput {
  regarding: KubeObject;
  type: 'Normal' | 'Warning';
  /** One word in CamelCase that machines compare. */
  reason: string;
  /** What the controller was doing, one word too. */
  action: string;
  /** What a person reads. */
  message: string;
}

/** Who tells it. */
export interface Reporter {
  /** `convoy.kumodo.io/controller`. */
  controller: string;
  /** The pod. */
  instance: string;
}

/** The limits of events.k8s.io/v1 (kubernetes/pkg/apis/core/validation/events.go). */
const LIMITS = { note: 1024, reason: 128, action: 128, instance: 128, name: 253 };

/** Room for a dot and a timestamp in hexadecimal. */
const SUFFIX_LENGTH = 24;

/** Cut to the longest note an API server takes; two messages that differ only beyond are one. */
export function noteOf(message: string): string {
  return clipBytes(message, LIMITS.note);
}

/** The Event as it is first sent. `unique` tells it from the others about the same object. */
export function eventBody(input: EventInput, reporter: Reporter, at: Date, unique: string): KubeObject {
  const { regarding, type } = input;
  const namespace = regarding.metadata.namespace ?? 'default';
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: eventName(regarding.metadata.name, unique), namespace },
    eventTime: microTime(at),
    type,
    reason: clipBytes(input.reason, LIMITS.reason),
    action: clipBytes(input.action, LIMITS.action),
    note: noteOf(input.message),
    regarding: reference(regarding),
    reportingController: reporter.controller,
    reportingInstance: clipBytes(reporter.instance, LIMITS.instance),
  };
}

/** What turns an Event into a series, or counts it on. */
export function seriesPatch(
  count: number,
  last: Date,
): { series: { count: number; lastObservedTime: string } } {
  return { series: { count, lastObservedTime: microTime(last) } };
}

function reference({
  apiVersion,
  kind,
  metadata: { name, namespace, uid, resourceVersion },
}: KubeObject): Record<string, string> {
  const fields = { apiVersion, kind, name, namespace, uid, resourceVersion };
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

/** Some kinds allow more in a name (RBAC: colons, capitals) than an Event's may hold. */
function eventName(name: string, unique: string): string {
  const allowed = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(0, LIMITS.name - SUFFIX_LENGTH);
  const labels = allowed.split('.').map((label) => label.replaceAll(/^-+|-+$/g, ''));
  return [...labels.filter((label) => label !== ''), unique].join('.');
}

function clipBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const ellipsis = '…';
  const room = Buffer.from(text).subarray(0, limit - Buffer.byteLength(ellipsis));
  // A character that the cut went through decodes to U+FFFD.
  return room.toString('utf8').replace(/\uFFFD+$/, '') + ellipsis;
}
