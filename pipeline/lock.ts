import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import koffi from 'koffi';
import { z } from 'zod';
import type { Effects } from './effects.ts';

/** Where a run holds the lock of each directory that it writes to. Both names are ignored by git. */
export const DATA_LOCK = join('work', 'pipeline.lock');
export const SNAPSHOTS_LOCK = '.pipeline.lock';

/** The directories that a piece of work writes to. */
export interface WrittenDirectories {
  dataDir?: string;
  snapshotsDir?: string;
}

/**
 * The process that wrote a lock's file, for messages only: the system says whether a lock is held. A process number may belong
 * to another process by now, and means nothing in another container.
 */
const ownerSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** Time at which the run took the lock. */
  startedAt: z.string(),
});
type LockOwner = z.infer<typeof ownerSchema>;

export class PipelineLocked extends Error {
  constructor(path: string) {
    const owner = readOwner(path);
    super(
      `another pipeline run holds ${path}${owner === null ? '' : ` (${ownerWords(owner)})`}. Wait for it to end, or end it; the lock is free as soon as its process has ended`,
    );
    this.name = 'PipelineLocked';
  }
}

/**
 * Runs `work` while holding the lock of each directory. The system holds a lock for the open file, so it is free at once
 * when its process ends, however that ends, and it is one lock for all containers of a machine. The file stays; the operator
 * hears of a killed run that left its name in it. Throws PipelineLocked while another run holds one of them, in this process or elsewhere.
 */
export async function withPipelineLock<T>(
  { dataDir, snapshotsDir }: WrittenDirectories,
  work: () => Promise<T>,
  effects: Effects,
): Promise<T> {
  const paths = [
    ...(dataDir === undefined ? [] : [join(dataDir, DATA_LOCK)]),
    ...(snapshotsDir === undefined ? [] : [join(snapshotsDir, SNAPSHOTS_LOCK)]),
  ];
  const owner: LockOwner = { pid: process.pid, host: hostname(), startedAt: effects.now().toISOString() };
  const held: number[] = [];
  const release = (): void => {
    for (const descriptor of held.splice(0)) {
      ftruncateSync(descriptor);
      closeSync(descriptor);
    }
  };
  // Ctrl-C and SIGTERM end the process in here: only a kill or a power cut may leave a name.
  process.once('exit', release);
  try {
    for (const path of paths) {
      await mkdir(dirname(path), { recursive: true });
      const descriptor = lock(path);
      held.push(descriptor);
      const left = readOwner(path);
      ftruncateSync(descriptor);
      writeOwner(descriptor, owner);
      if (left !== null)
        effects.notice?.(
          `the last run (${ownerWords(left)}) was cut off by a kill or a power cut; its lock ${path} is free, and this run goes on from what it stored`,
        );
    }
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Whether a run holds the lock of a directory of snapshots now. */
export function isLocked(snapshotsDir: string): boolean {
  const path = join(snapshotsDir, SNAPSHOTS_LOCK);
  // A run that ended clears the file, so only one under way or killed is named; a lock that this takes for a moment is that of a killed one.
  if (process.platform !== 'win32' && readOwner(path) === null) return false;
  try {
    closeSync(lock(path));
    return false;
  } catch (error) {
    if (error instanceof PipelineLocked) return true;
    throw error;
  }
}

/** The descriptor that holds the lock of a file. */
function lock(path: string): number {
  for (;;) {
    const descriptor = open(path);
    let isHeld = false;
    try {
      if (!tryLock(descriptor)) throw new PipelineLocked(path);
      // Whoever removed the file meanwhile left us a lock that nobody else would ask for.
      isHeld = isStillAt(path, descriptor);
      if (isHeld) return descriptor;
    } finally {
      if (!isHeld) closeSync(descriptor);
    }
  }
}

/** The name is for messages only, so that a full disk keeps nobody from the commands that free space. */
function writeOwner(descriptor: number, owner: LockOwner): void {
  try {
    writeSync(descriptor, `${JSON.stringify(owner)}\n`, 0);
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** libuv's flag: nobody else may open the file. Windows has no flock, and refuses the second one to open it by this. */
const WINDOWS_EXCLUSIVE = 0x10000000;

function open(path: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT;
  if (process.platform !== 'win32') return openSync(path, flags, 0o644);
  try {
    return openSync(path, flags | WINDOWS_EXCLUSIVE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') throw new PipelineLocked(path);
    throw error;
  }
}

const LOCK_EXCLUSIVE = 2;
const LOCK_DO_NOT_WAIT = 4;

let flock: ((descriptor: number, operation: number) => number) | undefined;

/** False where somebody else holds it. Node closes its files in child processes, so they cannot keep it. */
function tryLock(descriptor: number): boolean {
  if (process.platform === 'win32') return true;
  // No name: Node itself is linked to a C library, whichever it is.
  flock ??= koffi.load(null).func('int flock(int descriptor, int operation)');
  if (flock(descriptor, LOCK_EXCLUSIVE | LOCK_DO_NOT_WAIT) === 0) return true;
  const code = koffi.errno();
  if (code === koffi.os.errno.EWOULDBLOCK || code === koffi.os.errno.EAGAIN) return false;
  throw new Error(
    `the file system of the lock refuses to lock (errno ${code}): put DATA_DIR and SNAPSHOTS_DIR on one that supports flock`,
  );
}

function isStillAt(path: string, descriptor: number): boolean {
  const opened = fstatSync(descriptor, { bigint: true });
  const named = statSync(path, { bigint: true, throwIfNoEntry: false });
  return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
}

function readOwner(path: string): LockOwner | null {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** The host is the container's name inside a container. */
function ownerWords({ pid, host, startedAt }: LockOwner): string {
  return `process ${pid} of ${host}, since ${startedAt}`;
}
