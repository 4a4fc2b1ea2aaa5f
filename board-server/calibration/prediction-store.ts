import type { SelectQueryBuilder } from 'kysely';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import { storable } from '../store/text.ts';
import type { Transaction } from '../store/transaction.ts';
import type { PredictionRow } from './tables.ts';

/** SQLite takes thousands of parameters, other stores fewer. */
const IDS_A_QUERY = 500;

/** What is needed to say how a prediction came out. */
export type Stake = Pick<PredictionRow, 'subject_type' | 'subject_id' | 'confidence' | 'expects' | 'horizon_at'>;

export async function insertPrediction(tx: Transaction, row: PredictionRow): Promise<void> {
  await tx
    .insertInto('predictions')
    .values({ ...row, subject_id: storable(row.subject_id), agent_name: storable(row.agent_name) })
    .execute();
}

/** One prediction by primary key. */
export function predictionById(db: Reader, id: string): Promise<PredictionRow | undefined> {
  return db.selectFrom('predictions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The prediction that says exactly this under the same token; one row of the unique index on the content hash. */
export function predictionByContent(db: Reader, contentHash: string): Promise<PredictionRow | undefined> {
  return db.selectFrom('predictions').selectAll().where('content_hash', '=', contentHash).executeTakeFirst();
}

/** Whether a prediction was recorded with the token of this hash, by the index of the authors. */
export async function isAuthor(db: Reader, tokenHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('predictions')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Page of all predictions, or of one author's, newest first by `seq`, which each has an index of. */
export function predictionPage(db: Reader, tokenHash: string | null, range: PageRange): Promise<PredictionRow[]> {
  return newestPage(of(db, tokenHash).selectAll(), range);
}

export async function predictionCount(db: Reader, tokenHash: string | null): Promise<number> {
  if (tokenHash === null) return talliedRows(db, 'predictions');
  return countOf(of(db, tokenHash));
}

/** Every prediction, or every one of an author, oldest first; without names and ids. Not bounded. */
export function stakes(db: Reader, tokenHash: string | null): Promise<Stake[]> {
  return of(db, tokenHash)
    .select(['subject_type', 'subject_id', 'confidence', 'expects', 'horizon_at'])
    .orderBy('seq')
    .execute();
}

function of(db: Reader, tokenHash: string | null): SelectQueryBuilder<BoardTables, 'predictions', object> {
  const all = db.selectFrom('predictions');
  return tokenHash === null ? all : all.where('token_hash', '=', tokenHash);
}

/** When each of these reality requests was fulfilled, null while it is open; without invalid ids. */
export function fulfilledTimes(db: Reader, ids: readonly string[]): Promise<Map<string, number | null>> {
  return timesOf(ids, (some) =>
    db.selectFrom('reality_requests').select(['id', 'fulfilled_at as at']).where('id', 'in', some).execute(),
  );
}

/** When each of these rungs was satisfied, null while it is open; without invalid ids. */
export function satisfiedTimes(db: Reader, ids: readonly string[]): Promise<Map<string, number | null>> {
  return timesOf(ids, (some) =>
    db.selectFrom('rungs').select(['id', 'satisfied_at as at']).where('id', 'in', some).execute(),
  );
}

async function timesOf(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<{ id: string; at: number | null }[]>,
): Promise<Map<string, number | null>> {
  const times = new Map<string, number | null>();
  for (let start = 0; start < ids.length; start += IDS_A_QUERY) {
    for (const { id, at } of await read(ids.slice(start, start + IDS_A_QUERY))) times.set(id, at);
  }
  return times;
}
