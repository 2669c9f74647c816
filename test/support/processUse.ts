import { readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;

export interface ProcessUse {
  /** Processor time since its start, of user and system, in seconds. */
  cpuSeconds: number;
  /** Resident memory, in MiB. */
  residentMiB: number;
  /** The most that it ever was, in MiB. */
  peakMiB: number;
}

/** What a process has used, as Linux tells it. */
export async function processUse(pid: number): Promise<ProcessUse> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  // The name, in parentheses, may hold spaces; the fields after it begin with the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return {
    cpuSeconds: ticks / TICKS_PER_SECOND,
    residentMiB: kibibytes(status, 'VmRSS') / 1024,
    peakMiB: kibibytes(status, 'VmHWM') / 1024,
  };
}

function kibibytes(status: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (found === undefined) throw new Error(`the process has no ${field}`);
  return Number(found);
}
