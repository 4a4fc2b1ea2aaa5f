import type { SelectQueryBuilder } from 'kysely';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import type { PredictionRow } from './tables.ts';

/** Ids in one query: SQLite would take thousands of parameters, other stores take fewer. */
const IDS_A_QUERY = 500;

/** What is needed to say how a prediction came out. */
export type Stake = Pick<PredictionRow, 'subject_type' | 'subject_id' | 'confidence' | 'expects' | 'horizon_at'>;

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

/** Page of all predictions, or of one author's, newest first by `seq`. Each of the two lists has an index. */
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

/** When each of these reality requests was fulfilled, null while it is open. Ids that name none are left out. */
export function fulfilledTimes(db: Reader, ids: readonly string[]): Promise<Map<string, number | null>> {
  return timesOf(ids, (some) =>
    db.selectFrom('reality_requests').select(['id', 'fulfilled_at as at']).where('id', 'in', some).execute(),
  );
}

/** When each of these rungs was satisfied, null while it is open. Ids that name none are left out. */
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
