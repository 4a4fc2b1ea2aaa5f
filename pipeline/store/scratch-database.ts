import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from './database.ts';

/** Runs `work` on a database in memory, which spills into the system's temporary directory. */
export async function withScratchDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const spill = await mkdtemp(join(tmpdir(), 'snapshot-work-'));
  try {
    await using db = await Database.open(':memory:', { spillTo: spill });
    return await work(db);
  } finally {
    await rm(spill, { recursive: true, force: true });
  }
}
