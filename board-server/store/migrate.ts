import { type Kysely, sql } from 'kysely';
import { isCheckedFirst } from './file-check.ts';
import * as board0001 from './migrations/0001-board.ts';
import * as countIndexes0002 from './migrations/0002-count-indexes.ts';
import * as reviewIndexes0003 from './migrations/0003-review-indexes.ts';
import * as search0004 from './migrations/0004-search.ts';
import * as webhooks0005 from './migrations/0005-webhooks.ts';
import * as listIndexes0006 from './migrations/0006-list-indexes.ts';
import * as resultsGap0007 from './migrations/0007-results-gap.ts';
import * as council0008 from './migrations/0008-council.ts';
import * as reality0009 from './migrations/0009-reality.ts';
import * as ladders0010 from './migrations/0010-ladders.ts';
import * as cureLab0011 from './migrations/0011-cure-lab.ts';
import * as agentIndexes0012 from './migrations/0012-agent-indexes.ts';
import * as tallies0013 from './migrations/0013-tallies.ts';
import * as liveClaimSubjects0014 from './migrations/0014-live-claim-subjects.ts';
import * as voices0015 from './migrations/0015-voices.ts';
import * as webhookOwners0017 from './migrations/0017-webhook-owners.ts';
import * as callers0018 from './migrations/0018-callers.ts';
import * as eventAbouts0019 from './migrations/0019-event-abouts.ts';
import * as receipts0020 from './migrations/0020-receipts.ts';
import * as snapshotNews0021 from './migrations/0021-snapshot-news.ts';
import * as searchForms0022 from './migrations/0022-search-forms.ts';
import type { Sealer } from './sealed.ts';
import type { DialectName } from './session.ts';
import type { BoardTables } from './tables.ts';

/** In the order of application. A released migration never changes; new ones are added at the end. */
const MIGRATIONS: readonly { up(db: Kysely<never>, sealer: Sealer, dialect: DialectName): Promise<void> }[] = [
  board0001,
  countIndexes0002,
  reviewIndexes0003,
  search0004,
  webhooks0005,
  listIndexes0006,
  resultsGap0007,
  council0008,
  reality0009,
  ladders0010,
  cureLab0011,
  agentIndexes0012,
  tallies0013,
  liveClaimSubjects0014,
  webhookOwners0017,
  voices0015,
  callers0018,
  eventAbouts0019,
  receipts0020,
  snapshotNews0021,
  searchForms0022,
];

/** The file cannot be used as the board; start-up stops and says what to do. */
export class BoardFileFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BoardFileFault';
  }
}

/**
 * Brings a file to the newest schema, one transaction for each migration; user_version holds the number applied. A file
 * that needs a migration, or is short, is checked for damage first.
 */
export async function migrate(db: Kysely<BoardTables>, path: string, sealer: Sealer): Promise<void> {
  const version = await schemaVersion(db, path);
  if (version > MIGRATIONS.length) {
    throw new BoardFileFault(
      `${path} has schema ${version}, this program knows ${MIGRATIONS.length}: run the newer program, or restore a backup made with this one`,
    );
  }
  for (let next = version; next < MIGRATIONS.length; next += 1) {
    await db.transaction().execute(async (tx) => {
      await MIGRATIONS[next]!.up(tx as unknown as Kysely<never>, sealer, 'sqlite');
      await sql.raw(`PRAGMA user_version = ${next + 1}`).execute(tx);
    });
  }
}

async function schemaVersion(db: Kysely<BoardTables>, path: string): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`PRAGMA user_version`.execute(db);
  const version = rows[0]?.user_version ?? 0;
  if (version < MIGRATIONS.length || isCheckedFirst(path)) await refuseDamaged(db, path);
  if (version === 0 && (await holdsTables(db))) {
    throw new BoardFileFault(`${path} is a database of something else: name another file in BOARD_DB`);
  }
  return version;
}

async function refuseDamaged(db: Kysely<BoardTables>, path: string): Promise<void> {
  const check = await sql<{ quick_check: string }>`PRAGMA quick_check(1)`.execute(db);
  const finding = check.rows[0]?.quick_check;
  if (finding !== 'ok') {
    throw new BoardFileFault(`${path} is damaged (${finding}): restore a backup with \`npm run board -- restore\``);
  }
}

async function holdsTables(db: Kysely<BoardTables>): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM sqlite_schema LIMIT 1`.execute(db);
  return rows.length > 0;
}
