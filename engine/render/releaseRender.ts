import { keyOf, keyString, type KubeObject } from '../../api/object.ts';
import type { Body, RenderResult } from './job.ts';

/** The objects that a source stands for now. */
export interface ReleaseRender {
  renderRef: string;
  /** In the order of a render, with the owner labels; integers beyond 2^53 are exact in `bodies` alone. */
  objects: KubeObject[];
  /** By keyString: what is sent. */
  bodies: ReadonlyMap<string, Body>;
  warnings: string[];
  /** By keyString: objects of types that nobody serves yet. An operator may bring them when it runs. */
  unknown: ReadonlySet<string>;
}

/** The outcome of a render as what is planned and applied. */
export function releaseRenderOf({
  renderRef,
  bodies,
  warnings,
  unknown,
}: Omit<RenderResult, 'canonical'>): ReleaseRender {
  const parsed = bodies.map((body) => ({ body, object: JSON.parse(body.text) as KubeObject }));
  return {
    renderRef,
    objects: parsed.map(({ object }) => object),
    warnings,
    unknown: new Set(unknown.map(({ key }) => keyString(key))),
    bodies: new Map(parsed.map(({ object, body }) => [keyString(keyOf(object)), body])),
  };
}
