import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { vi } from 'vitest';
import { Board } from '../../../board-server/store/board.ts';
import { countedBytes, TestClock } from './board.ts';

/** The distinct texts of the statements prepared on the file at `path`, until disposed. */
export interface Recorded extends Disposable {
  texts: ReadonlySet<string>;
}

export function recordStatements(path: string): Recorded {
  const texts = new Set<string>();
  const prepare = SQLite.prototype.prepare;
  const spy = vi.spyOn(SQLite.prototype, 'prepare').mockImplementation(function (this: SQLite.Database, text: string) {
    if (this.name === path) texts.add(text);
    return prepare.call(this, text);
  });
  return { texts, [Symbol.dispose]: () => spy.mockRestore() };
}

export interface Planned {
  text: string;
  /** The steps of EXPLAIN QUERY PLAN, joined by semicolons. */
  plan: string;
}

/** The plan of each statement that reads or writes rows, on a board without statistics, like every board. */
export async function plansOf(texts: Iterable<string>): Promise<Planned[]> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-statements-'));
  const path = join(root, 'board.sqlite');
  await (await Board.open(path, { now: new TestClock().now, random: countedBytes() }))[Symbol.asyncDispose]();
  const file = new SQLite(path);
  const planned = [...texts]
    .filter((text) => /^\s*(select|with|insert|update|delete)\b/i.test(text))
    .map((text) => ({ text, plan: planOf(file, text) }));
  file.close();
  await rm(root, { recursive: true });
  return planned;
}

function planOf(file: SQLite.Database, text: string): string {
  const nothings = new Array(text.split('?').length - 1).fill(null);
  const steps = file.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...nothings) as { detail: string }[];
  return steps.map(({ detail }) => detail).join('; ');
}

/** Scans of rows that the statement itself contains, or that an index (M: those that match) or a LIMIT has already selected. */
const WITHIN = /SCAN (\d+-ROW VALUES CLAUSE|CONSTANT ROW|\w+ VIRTUAL TABLE INDEX \d+:M\d+|counted\b)/g;
/** A scan from one end of a table or index until the LIMIT is reached, which skips no row. */
const FROM_ONE_END = /^SCAN \w+( USING (COVERING )?INDEX \w+)?$/;
const UNFILTERED = /^select [^()]+ from "\w+"( where true)? order by [^()]+ limit /;
/** A scan of a partial index that holds only the wanted rows. */
const OF_PART = /^SCAN findings USING INDEX findings_shown$/;

/** True when a statement scans a whole table or sorts the rows it read. */
export function isUnbounded({ text, plan }: Planned): boolean {
  if ((FROM_ONE_END.test(plan) && UNFILTERED.test(text)) || OF_PART.test(plan)) return false;
  // The plan of an insert names tables with foreign keys to it. SQLite searches those only while a parent row is
  // missing.
  if (/^insert into "\w+" \([^()]+\) values /.test(text)) return false;
  return /\bSCAN\b|USE TEMP B-TREE/.test(plan.replaceAll(WITHIN, ''));
}
