import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import koffi from 'koffi';
import type { Effects } from './effects.ts';

/** Files of the locks of each directory that a run writes to. Both names are ignored by git. */
export const DATA_LOCK = join('work', 'pipeline.lock');
export const SNAPSHOTS_LOCK = '.pipeline.lock';

/** The directories that a piece of work writes to. */
export interface WrittenDirectories {
  dataDir?: string;
  snapshotsDir?: string;
}

export class PipelineLocked extends Error {
  constructor(path: string) {
    const owner = ownerIn(path);
    super(
      `another pipeline run holds ${path}${owner === '' ? '' : ` (${owner})`}. Wait for it to end, or end it; the lock is free as soon as its process has ended`,
    );
    this.name = 'PipelineLocked';
  }
}

/**
 * Runs `work` while holding the lock of each directory. The system holds a lock for the open file, so it is free at once
 * when its process ends, however that ends, and it is one lock for all containers of a machine. The text in the file names the owner for
 * messages only; where a killed run left its name, the operator reads so. Throws PipelineLocked while another run holds one of the locks,
 * in this process or elsewhere.
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
      const left = ownerIn(path);
      // The host is the container's name inside a container.
      writeOwner(descriptor, `process ${process.pid} of ${hostname()}, since ${effects.now().toISOString()}\n`);
      if (left !== '')
        effects.notice?.(
          `the last run (${left}) was cut off by a kill or a power cut; its lock ${path} is free, and this run goes on from what it stored`,
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
  if (process.platform !== 'win32' && ownerIn(path) === '') return false;
  try {
    closeSync(lock(path));
    return false;
  } catch (error) {
    if (error instanceof PipelineLocked) return true;
    throw error;
  }
}

/** libuv's flag: nobody else may open the file. Windows has no flock, and refuses the second one to open it by this. */
const WINDOWS_EXCLUSIVE = 0x10000000;
const LOCK_EXCLUSIVE = 2;
const LOCK_DO_NOT_WAIT = 4;

let flock: ((descriptor: number, operation: number) => number) | undefined;

/** The descriptor that holds the lock of a file. Node closes its files in child processes, so they cannot keep it. */
function lock(path: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT;
  if (process.platform === 'win32') {
    try {
      return openSync(path, flags | WINDOWS_EXCLUSIVE);
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EBUSY' ? new PipelineLocked(path) : error;
    }
  }
  // No name: Node itself is linked to a C library, whichever it is.
  flock ??= koffi.load(null).func('int flock(int descriptor, int operation)');
  const descriptor = openSync(path, flags, 0o644);
  if (flock(descriptor, LOCK_EXCLUSIVE | LOCK_DO_NOT_WAIT) === 0) return descriptor;
  const code = koffi.errno();
  closeSync(descriptor);
  if (code === koffi.os.errno.EWOULDBLOCK || code === koffi.os.errno.EAGAIN) throw new PipelineLocked(path);
  throw new Error(
    `the file system of the lock refuses to lock (errno ${code}): put DATA_DIR and SNAPSHOTS_DIR on one that supports flock`,
  );
}

/** A full disk keeps nobody from the commands that free space, since the name is for messages only. */
function writeOwner(descriptor: number, owner: string): void {
  ftruncateSync(descriptor);
  try {
    writeSync(descriptor, owner, 0);
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function ownerIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
