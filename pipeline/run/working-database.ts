import { rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { withSpace } from '../space.ts';
import { type Database, openWorkingDatabase, workingDatabasePath } from '../store/database.ts';

/** How DuckDB tells that the file which it names is not as it wrote it. */
const DAMAGE = /not a valid DuckDB database file|Could not read enough bytes from file|replaying WAL file/;
/** Only a database has such sums, and no other file is opened as one. */
const WRONG_SUM = /Corrupt database file/;

/** The working database was damaged and lies aside; whatever it held is made again from the raw sets and CURRENT. */
export class WorkingDatabaseDamaged extends Error {
  /** Where the damaged file lies now. */
  readonly aside: string;

  constructor(path: string, aside: string, options?: ErrorOptions) {
    super(
      `${path} is damaged; it was renamed to ${basename(aside)}. Run \`pipeline run\` again, or \`pipeline normalise\` and the stages after it: a new one is made from the raw sets, and takes its canonical ids and feed items from the current snapshot`,
      options,
    );
    this.name = 'WorkingDatabaseDamaged';
    this.aside = aside;
  }
}

/** Runs work over the working database. Throws WorkingDatabaseDamaged after it set a damaged one aside. */
export async function withWorkingDatabase<T>(
  { dataDir }: { dataDir: string },
  now: Date,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  try {
    await using db = await openWorkingDatabase(dataDir);
    try {
      return await work(db);
    } catch (error) {
      // Asked before the database is closed, which removes what it had spilled.
      throw await withSpace(error, [dataDir]);
    }
  } catch (error) {
    const path = workingDatabasePath(dataDir);
    if (!(error instanceof Error && isDamage(error.message, path))) throw error;
    const aside = `${path}.damaged-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    // The file and its log of what is not in it yet.
    for (const end of ['', '.wal']) await rename(`${path}${end}`, `${aside}${end}`).catch(absent);
    throw new WorkingDatabaseDamaged(path, aside, { cause: error });
  }
}

/** Other files that DuckDB reads can be damaged too, a snapshot's for example. */
function isDamage(message: string, path: string): boolean {
  return WRONG_SUM.test(message) || (DAMAGE.test(message) && message.includes(path));
}

function absent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
