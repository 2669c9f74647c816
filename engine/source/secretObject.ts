import { groupOf, type KubeObject } from '../../api/object.ts';
import { isMap } from '../render/objects.ts';
import { Redaction } from './redaction.ts';

/** Fields of a Secret whose values nobody is told. */
export const SECRET_FIELDS = ['data', 'stringData'] as const;

/** A value that the API server writes out where it has the wrong type. */
const QUOTED_VALUE = /\bgot &value\.valueUnstructured\{.*?\}(?=; \.|$)/gs;

/** True for a Secret of Kubernetes. */
export function isSecretObject({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'Secret' && groupOf(apiVersion) === '';
}

/**
 * What is said of objects, without the values of those that are Secrets.
 * @param values further ones that it may not tell
 */
export function withoutSecretValues(
  text: string,
  objects: readonly KubeObject[],
  values: readonly string[] = [],
): string {
  const secrets = objects.filter(isSecretObject);
  const redaction = new Redaction();
  redaction.hide([...values, ...secrets.flatMap(valuesOf)]);
  return redaction.apply(
    secrets.length === 0 ? text : text.replaceAll(QUOTED_VALUE, 'got a value of another type'),
  );
}

/** The values of a Secret as they stand there, and as whoever reads it gets them. */
function valuesOf(secret: KubeObject): string[] {
  return SECRET_FIELDS.flatMap((field) => {
    const map = secret[field];
    const values: unknown[] = isMap(map) ? Object.values(map) : [map];
    return values
      .filter((value) => value !== undefined && value !== null)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .flatMap((value) => [value, Buffer.from(value, 'base64').toString()]);
  });
}
