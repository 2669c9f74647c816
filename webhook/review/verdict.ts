import type { Operation } from '../mutate/jsonPatch.ts';
import { ADMISSION_API_VERSION } from './admissionReview.ts';

/** What becomes of a request. */
export type Verdict =
  | { allowed: true; warnings?: readonly string[]; patch?: readonly Operation[] }
  | { allowed: false; message: string; reason: keyof typeof CODES; warnings?: readonly string[] };

const CODES = { Invalid: 422, Conflict: 409 } as const;

export const ALLOWED: Verdict = { allowed: true };

/** An API server drops warnings over 4 KiB altogether, and cuts each over 256 characters where they are many. */
const MAX_WARNINGS = 15;
const MAX_WARNING = 250;

/** The AdmissionReview that answers a request. */
export function reviewResponse(uid: string, verdict: Verdict): object {
  return {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'AdmissionReview',
    response: { uid, allowed: verdict.allowed, ...warnings(verdict), ...outcome(verdict) },
  };
}

function outcome(verdict: Verdict): object {
  if (!verdict.allowed) {
    const { message, reason } = verdict;
    return { status: { status: 'Failure', message, reason, code: CODES[reason] } };
  }
  const { patch = [] } = verdict;
  if (patch.length === 0) return {};
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

function warnings({ warnings: all = [] }: Verdict): { warnings?: string[] } {
  if (all.length === 0) return {};
  const told = all.slice(0, MAX_WARNINGS).map(oneLine);
  return { warnings: all.length > told.length ? [...told, `and ${all.length - told.length} more`] : told };
}

/** A warning travels in a header, which holds no line breaks. */
function oneLine(warning: string): string {
  const line = warning.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
  return line.length > MAX_WARNING ? `${line.slice(0, MAX_WARNING)}…` : line;
}
