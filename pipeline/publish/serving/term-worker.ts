import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { sqlLiteral } from '../../../snapshot-sql/connection.ts';
import { Database } from '../../store/database.ts';
import { makeTerms } from './make-terms.ts';
import { ParentImage, ParentUnusable } from './parent-image.ts';
import type { TermThreadAnswer, TermThreadData } from './term-thread.ts';
import { viewTables } from './trial-tables.ts';

/** Worker of term-thread.ts: answers once, when the files are written or the parent's image cannot be used. */
const { making, snapshotDir, scratch, shown, inherited } = workerData as TermThreadData;
/** Beside the 1000 MB of the other thread; what is sorted here is about a third of what is sorted there. */
const MEMORY = '500MB';

async function run(): Promise<TermThreadAnswer> {
  await using database = await Database.open(':memory:', {
    memoryLimit: MEMORY,
    spillTo: join(scratch, 'terms'),
  });
  await viewTables(database, snapshotDir, ['trials', 'registrations']);
  await database.run(`CREATE VIEW shown_members AS FROM read_parquet(${sqlLiteral(shown.members)})`);
  const registrations =
    shown.registrations === null ? 'registrations' : `read_parquet(${sqlLiteral(shown.registrations)})`;
  await database.run(`CREATE VIEW shown_registrations AS FROM ${registrations}`);
  try {
    await makeTerms(database, making, inherited && { ...inherited, image: new ParentImage(inherited.parent) });
    return null;
  } catch (error) {
    if (error instanceof ParentUnusable) return error.message;
    throw error;
  }
}

const answer = await run();
parentPort?.postMessage(answer);
