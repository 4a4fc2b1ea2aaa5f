import { sql } from 'kysely';
import { CHANGES_WINDOW_DAYS } from '../../contract/limits/limits.ts';
import { insertOutbox } from '../store/outbox-store.ts';
import { type Places, preparedRead } from '../store/prepared.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { KnownVersionRow } from './tables.ts';

/** As far as a replay reaches, so that a subscription which was parked longer begins after it. */
const KEPT_MICROS = CHANGES_WINDOW_DAYS * 86_400_000_000;

/** A version by primary key, and whether any is known. */
export async function knownVersion(db: Reader, version: string): Promise<KnownVersionRow | undefined> {
  return db.selectFrom('known_versions').selectAll().where('version', '=', version).executeTakeFirst();
}

export async function knowsAnyVersion(db: Reader): Promise<boolean> {
  return (await db.selectFrom('known_versions').select('version').limit(1).executeTakeFirst()) !== undefined;
}

/** Notes a version, and announces it unless it is the first that this board knows. Runs inside a write. */
export async function noteVersion(
  tx: Transaction,
  { version, parent, data, hasChanges }: { version: string; parent: string | null; data: string; hasChanges: boolean },
  announced: boolean,
): Promise<void> {
  if (await knownVersion(tx, version)) return;
  const ts = tx.nextTime();
  const evaluated = announced && hasChanges ? 0 : 1;
  await tx.insert('known_versions', { version, parent, ts, data, evaluated });
  if (announced) await insertOutbox(tx, ts, 'snapshot.published');
}

/** The oldest version that some query has no changes of, by its partial index. */
export async function openVersion(db: Reader): Promise<KnownVersionRow | undefined> {
  return db
    .selectFrom('known_versions')
    .selectAll()
    .where(sql<boolean>`evaluated = 0`)
    .orderBy('ts')
    .limit(1)
    .executeTakeFirst();
}

/** Different queries of subscriptions that were there when the version came and have no changes of it yet; at most `limit`. */
export async function openQueries(
  db: Reader,
  { version, ts }: Pick<KnownVersionRow, 'version' | 'ts'>,
  limit: number,
): Promise<{ key: string; query: string }[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['query_key', 'query'])
    .distinct()
    .where('query', 'is not', null)
    .where('created_at', '<=', ts)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('trial_news')
            .select('trial_news.ts')
            .where('trial_news.version', '=', version)
            .whereRef('trial_news.query_key', '=', 'webhooks.query_key'),
        ),
      ),
    )
    .orderBy('query_key')
    .limit(limit)
    .execute();
  return rows.map(({ query_key, query }) => ({ key: query_key as string, query: query as string }));
}

/** Stores what queries found of a version, under one time of the outbox; what is stored already stays. Runs inside a write. */
export async function storeNews(
  tx: Transaction,
  version: string,
  found: readonly { key: string; data: string | null }[],
): Promise<void> {
  const ts = tx.nextTime();
  for (const { key, data } of found) {
    await tx
      .insertInto('trial_news')
      .values({ query_key: key, ts, version, data })
      .onConflict((conflict) => conflict.columns(['version', 'query_key']).doNothing())
      .execute();
  }
  if (found.some(({ data }) => data !== null)) await insertOutbox(tx, ts, 'trial.changed');
}

/** Marks a version as done, and drops what no replay reaches any more. Runs inside a write. */
export async function closeVersion(tx: Transaction, version: string): Promise<void> {
  await tx.updateTable('known_versions').set({ evaluated: 1 }).where('version', '=', version).execute();
  await tx
    .deleteFrom('trial_news')
    .where('ts', '<', tx.now - KEPT_MICROS)
    .execute();
}

/** The first changes after a time that a query found, by primary key. */
export async function nextNews(
  db: Reader,
  queryKey: string,
  ts: number,
): Promise<{ version: string; ts: number; data: string } | null> {
  const [row] = await db.rows(firstNews, { queryKey, ts });
  return row === undefined ? null : { version: row.version, ts: row.ts, data: row.data as string };
}

const firstNews = preparedRead((db, { queryKey, ts }: Places<{ queryKey: string; ts: number }>) =>
  db
    .selectFrom('trial_news')
    .select(['version', 'ts', 'data'])
    .where('query_key', '=', queryKey)
    .where('ts', '>', ts)
    .where('data', 'is not', null)
    .orderBy('ts')
    .limit(sql.lit(1)),
);

/** The version that was announced at a time of the outbox. */
export async function versionAt(db: Reader, ts: number): Promise<{ version: string; data: string }> {
  const [row] = await db.rows(announcedAt, { ts });
  if (row === undefined) throw new Error(`no version lies at ${ts}, which the outbox names`);
  return row;
}

const announcedAt = preparedRead((db, { ts }: Places<{ ts: number }>) =>
  db.selectFrom('known_versions').select(['version', 'data']).where('ts', '=', ts),
);
