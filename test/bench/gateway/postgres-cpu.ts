import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** Seconds of CPU that a process has used; undefined where there is none. */
export function cpuSecondsOf(pid: number | string): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Counts the CPU of PostgreSQL's processes that serve a database, where they are on this machine. */
export function postgresCpu(database: string) {
  const read = () => {
    const seconds = new Map<string, number>();
    for (const pid of readdirSync('/proc')) {
      // A process that serves a client calls itself `postgres: USER DATABASE ADDRESS STATE`.
      if (!/^\d+$/.test(pid) || !new RegExp(`^postgres: (\\S+: )?\\S+ ${database} `).test(commandOf(pid))) continue;
      seconds.set(pid, cpuSecondsOf(pid) ?? 0);
    }
    return seconds;
  };
  let before = read();
  return {
    begin: () => {
      before = read();
    },
    /** Seconds since it began, of processes that are still there. */
    spent: () => [...read()].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0),
  };
}
