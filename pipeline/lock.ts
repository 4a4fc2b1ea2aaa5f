import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Effects } from './effects.ts';
import { isProcessAlive } from './processes.ts';

/** Locks that this process holds. The pid alone does not tell: in a container every run may have the same one. */
const heldHere = new Map<string, LockOwner>();

export class PipelineLocked extends Error {
  constructor(path: string, owner: LockOwner) {
    super(
      `another pipeline run (process ${owner.pid}, since ${owner.startedAt}) holds ${path}; wait for it to end, or stop it`,
    );
    this.name = 'PipelineLocked';
  }
}

interface LockOwner {
  pid: number;
  startedAt: string;
}

/**
 * Runs `work` while holding `<dataDir>/work/pipeline.lock`. Takes over a lock whose process has ended.
 * Throws PipelineLocked while another run goes on, in this process or elsewhere on this machine.
 */
export async function withPipelineLock<T>(dataDir: string, work: () => Promise<T>, effects: Effects): Promise<T> {
  const path = resolve(dataDir, 'work', 'pipeline.lock');
  await mkdir(resolve(dataDir, 'work'), { recursive: true });
  await acquire(path, { pid: process.pid, startedAt: effects.now().toISOString() });
  try {
    return await work();
  } finally {
    heldHere.delete(path);
    await rm(path, { force: true });
  }
}

async function acquire(path: string, owner: LockOwner): Promise<void> {
  // A hard link appears with its whole content, so nobody reads a half-written lock.
  const claim = `${path}.${owner.pid}`;
  const holder = heldHere.get(path);
  if (holder !== undefined) throw new PipelineLocked(path, holder);
  heldHere.set(path, owner);
  try {
    await writeFile(claim, `${JSON.stringify(owner)}\n`);
    while (!(await tryLink(claim, path))) await removeIfStale(path);
  } catch (error) {
    heldHere.delete(path);
    throw error;
  } finally {
    await rm(claim, { force: true });
  }
}

async function tryLink(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Throws PipelineLocked when the owner is alive; else moves the lock away, so that the next attempt to link can succeed. */
async function removeIfStale(path: string): Promise<void> {
  const seen = await readLock(path);
  if (seen === null) return;
  const owner = parseOwner(seen, path);
  if (owner.pid !== process.pid && isProcessAlive(owner.pid)) throw new PipelineLocked(path, owner);
  const aside = `${path}.stale-${process.pid}`;
  await rename(path, aside).catch(ignoreMissing);
  const moved = await readLock(aside);
  // If another run took over the stale lock between reading and renaming, its live lock was moved: put it back.
  if (moved !== null && moved !== seen) await tryLink(aside, path);
  await rm(aside, { force: true });
}

async function readLock(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    ignoreMissing(error);
    return null;
  }
}

function parseOwner(text: string, path: string): LockOwner {
  try {
    const owner = JSON.parse(text) as LockOwner;
    if (Number.isInteger(owner.pid) && owner.pid > 0 && typeof owner.startedAt === 'string') return owner;
  } catch {
    // The error below says what to do.
  }
  throw new Error(`${path} names no owner; remove it when no pipeline is running`);
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
