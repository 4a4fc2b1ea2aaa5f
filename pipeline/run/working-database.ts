import { readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withSpace } from '../space.ts';
import { type Database, openWorkingDatabase, workingDatabasePath } from '../store/database.ts';

/** How DuckDB tells that the file which it names is not as it wrote it. */
const DAMAGE = /not a valid DuckDB database file|Could not read enough bytes from file|replaying WAL file/;
/** Only a database has such sums, and no other file is opened as one. */
const WRONG_SUM = /Corrupt database file/;
/** The file and its log of what is not in it yet. */
const FILES = ['', '.wal'];
/** What the name of a damaged one goes on with, before the time. */
const ASIDE = '.damaged-';

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
    const aside = `${path}${ASIDE}${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    for (const end of FILES) await rename(`${path}${end}`, `${aside}${end}`).catch(absent);
    throw new WorkingDatabaseDamaged(path, aside, { cause: error });
  }
}

/** The fault of a stage that found the database new because a damaged one was set aside before; null where none was. */
export async function setAsideBefore(dataDir: string): Promise<WorkingDatabaseDamaged | null> {
  const path = workingDatabasePath(dataDir);
  const names = await readdir(dirname(path));
  const last = names
    .filter((name) => name.startsWith(`${basename(path)}${ASIDE}`) && !name.endsWith('.wal'))
    .sort()
    .at(-1);
  return last === undefined ? null : new WorkingDatabaseDamaged(path, join(dirname(path), last));
}

/** Other files that DuckDB reads can be damaged too, a snapshot's for example. */
function isDamage(message: string, path: string): boolean {
  return WRONG_SUM.test(message) || (DAMAGE.test(message) && message.includes(path));
}

function absent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
