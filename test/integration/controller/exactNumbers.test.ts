import { expect, test } from 'vitest';
import { documents, useReleases } from './fixture.ts';

const releases = useReleases();

/** One for each test, as the type goes with the test's Release. */
const group = (): string => `${releases.namespace}.convoy.kumodo.io`;
const crd = (): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gauges.${group()}}
spec:
  group: ${group()}
  names: {kind: Gauge, plural: gauges}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                large: {type: integer, format: int64}
                small: {type: integer, format: int64}
                ratio: {type: number}
                whole: {type: number}
                free: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;
const gauge = (large: string): string => `
apiVersion: ${group()}/v1
kind: Gauge
metadata: {name: exact}
spec: {large: ${large}, small: -9223372036854775808, ratio: 0.1, whole: 5.0, free: {deep: [9007199254740993, 1.5]}}
`;

/** As kubectl prints it: JSON.parse would round the numbers. */
async function spec(): Promise<string> {
  const text = await releases.cluster.kubectl(
    'get',
    `gauges.${group()}`,
    'exact',
    '-n',
    releases.namespace,
    '-o',
    'json',
  );
  return text.slice(text.indexOf('"spec"'));
}

test('integers beyond 2^53 and decimals reach the API server exactly, in a first apply and in a change', async () => {
  await releases.create({ source: { inline: documents(crd(), gauge('9007199254740993')) } });
  await releases.ready('Applied');
  const first = await spec();
  expect(first).toContain('"large": 9007199254740993');
  expect(first).toContain('"small": -9223372036854775808');
  expect(first).toContain('"ratio": 0.1');
  expect(first).toMatch(/"deep": \[\s*9007199254740993,\s*1\.5\s*\]/);

  await releases.inline(documents(crd(), gauge('9007199254740995')));
  await releases.ready('Applied');
  expect(await spec()).toContain('"large": 9007199254740995');
});

test('renders that differ only beyond 2^53 are two renders', async () => {
  await releases.create({ source: { inline: documents(crd(), gauge('9007199254740993')) } });
  const first = await releases.ready('Applied');
  await releases.inline(documents(crd(), gauge('9007199254740992')));
  const second = await releases.ready('Applied');
  expect(second.status?.lastSuccessful?.renderRef).not.toBe(first.status?.lastSuccessful?.renderRef);
  expect(await spec()).toContain('"large": 9007199254740992');
});
