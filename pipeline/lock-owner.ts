import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Who wrote a lock's file. For messages only: whether a lock is held, the system says, since a process number may belong to
 * another process by now, and means nothing in another container.
 */
export interface LockOwner {
  pid: number;
  host: string;
  /** When the run took the lock. */
  startedAt: string;
  /** Changes with every start of the machine; null where the system does not tell. */
  bootId: string | null;
  /** Where `pid` is counted: containers count their own. Null where the system does not tell. */
  pidNamespace: string | null;
  /** Clock ticks from the machine's start to the process's; tells it from a later one with its number. Null as above. */
  processStart: string | null;
}

export function thisProcess(startedAt: string): LockOwner {
  return { pid: process.pid, host: hostname(), startedAt, ...machineOf(), processStart: startOf(process.pid) };
}

function machineOf(): Pick<LockOwner, 'bootId' | 'pidNamespace'> {
  return {
    bootId: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** Start of a process; null where none has this number, or the system does not tell. */
function startOf(pid: number): string | null {
  // Fields are counted after the name, which may hold blanks (proc(5)).
  return orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null);
}

/** Null where the text is not that of an owner, for instance because it is not written yet. */
export function parseOwner(text: string): LockOwner | null {
  const owner = orNull(() => JSON.parse(text) as Partial<LockOwner> | null);
  const { pid, host, startedAt, bootId, pidNamespace, processStart } = owner ?? {};
  if (!Number.isInteger(pid) || typeof host !== 'string' || typeof startedAt !== 'string') return null;
  const known = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    pid: pid as number,
    ...{ host, startedAt },
    ...{ bootId: known(bootId), pidNamespace: known(pidNamespace), processStart: known(processStart) },
  };
}

/** Where the owner is, as seen from here. `ended`: on this machine, but no process is the one that wrote the file. */
type Whereabouts = 'here' | 'ended' | 'container' | 'machine';

function whereabouts(owner: LockOwner): Whereabouts {
  const here = machineOf();
  // Without a boot id a name must do.
  const sameMachine = here.bootId === null || owner.bootId === null ? owner.host === hostname() : null;
  if (!(sameMachine ?? owner.bootId === here.bootId)) return 'machine';
  if (owner.pidNamespace !== here.pidNamespace) return 'container';
  if (owner.processStart !== null) return startOf(owner.pid) === owner.processStart ? 'here' : 'ended';
  return isThere(owner.pid) ? 'here' : 'ended';
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What to say to a run that finds the lock held. */
export function heldBy(path: string, owner: LockOwner | null): string {
  if (owner === null) return `another pipeline run holds ${path} and has not written who it is yet; wait for it to end`;
  const { pid, host, startedAt } = owner;
  const since = `since ${startedAt}`;
  return {
    here: `process ${pid} of this machine holds ${path} ${since}: another pipeline run. Wait for it to end, or end it with \`kill ${pid}\`; the lock is free as soon as it has ended`,
    container: `a pipeline run in another container of this machine (${host}, its process ${pid}) holds ${path} ${since}. Wait for it to end, or stop that container; the lock is free as soon as it has ended`,
    machine: `a pipeline run on another machine (${host}, its process ${pid}) holds ${path} ${since}, by a volume that both have. Let one machine write to it; the lock is free as soon as that run has ended`,
    ended: `another process holds ${path}, and the file still names a run that has ended (process ${pid}, ${since}): a run that has just begun. \`fuser ${path}\` names the process; try again when it has ended`,
  }[whereabouts(owner)];
}

/** What to say to a run that finds the lock free and its file still naming an owner, which so was killed. */
export function leftBy(path: string, { pid, host, startedAt, bootId }: LockOwner): string {
  const here = machineOf().bootId;
  const why = bootId !== null && here !== null && bootId !== here ? 'before this machine started, ' : '';
  return `the last run (process ${pid} of ${host}, since ${startedAt}) was cut off ${why}by a kill or a power cut; its lock ${path} is free, and this run goes on from what it stored`;
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
