import pc from 'picocolors';
import type { Colour } from './flags.ts';
import type { Io } from './io.ts';

/** What a piece of text tells at a glance. */
export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'strong' | 'plain';

export type Paint = (text: string, tone: Tone) => string;

/** No colours. */
export const plain: Paint = (text) => text;

/** Colours where they are asked for, or where a person reads (https://no-color.org). */
export function paintFor(io: Pick<Io, 'stdout' | 'env'>, colour: Colour): Paint {
  return isColoured(io, colour) ? coloured() : plain;
}

function isColoured({ stdout, env }: Pick<Io, 'stdout' | 'env'>, colour: Colour): boolean {
  if (colour !== 'auto') return colour === 'always';
  return stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

function coloured(): Paint {
  const colours = pc.createColors(true);
  const tones: Record<Tone, (text: string) => string> = {
    good: colours.green,
    warn: colours.yellow,
    bad: colours.red,
    dim: colours.dim,
    strong: colours.bold,
    plain: (text) => text,
  };
  return (text, tone) => tones[tone](text);
}
