import { LONGEST_TIMER_MS } from '../../kube/clock.ts';

/** @returns whether the work ended in time */
export async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => limit.resolve(false), Math.min(ms, LONGEST_TIMER_MS));
  try {
    return await Promise.race([work.then(() => true), limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
