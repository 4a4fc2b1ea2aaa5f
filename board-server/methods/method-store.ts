import type { MethodState } from '../../contract/declared/research.ts';
import type { Method } from '../../contract/schemas/board/method.ts';
import { toIso } from '../store/instants.ts';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { MethodRow, MethodUseRow } from './tables.ts';

export interface MethodFilter {
  state: MethodState;
  agentName?: string | undefined;
}

/** Versions that one card is shown with. */
const VERSIONS_MAX_ITEMS = 100;

export function methodOf(row: MethodRow, uses: number, recommended: boolean): Method {
  const list = (json: string): string[] => JSON.parse(json) as string[];
  return {
    id: row.id,
    slug: row.slug,
    version: row.version,
    state: row.state,
    title: row.title,
    appliesTo: row.applies_to,
    steps: list(row.steps),
    failureModes: list(row.failure_modes),
    checks: list(row.checks),
    derivedFrom: list(row.derived_from),
    endpointsUsed: list(row.endpoints_used),
    agentName: row.agent_name,
    uses,
    recommended,
    createdAt: toIso(row.created_at),
    supersededAt: row.superseded_at === null ? null : toIso(row.superseded_at),
  };
}

/**
 * Stores the next version of a card and supersedes the active one; must run in a transaction. The unique index on slug
 * and version refuses a version that is there.
 */
export async function insertMethod(tx: Transaction, row: MethodRow): Promise<void> {
  await tx
    .updateTable('methods')
    .set({ state: 'superseded', superseded_at: row.created_at })
    .where('slug', '=', row.slug)
    .where('version', '=', row.version - 1)
    .execute();
  await tx.insertInto('methods').values(row).execute();
}

/** The newest version of a card, which is the active one; one row of the unique index on slug and version. */
export function methodBySlug(db: Reader, slug: string): Promise<MethodRow | undefined> {
  return db
    .selectFrom('methods')
    .selectAll()
    .where('slug', '=', slug)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** One version of a card; one row of the unique index on slug and version. */
export function methodVersion(db: Reader, slug: string, version: number): Promise<MethodRow | undefined> {
  return db
    .selectFrom('methods')
    .selectAll()
    .where('slug', '=', slug)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** Versions of a card, newest first; at most a hundred, by the unique index on slug and version. */
export function versionsOf(db: Reader, slug: string) {
  return db
    .selectFrom('methods')
    .select(['version', 'state', 'agent_name', 'created_at'])
    .where('slug', '=', slug)
    .orderBy('version', 'desc')
    .limit(VERSIONS_MAX_ITEMS)
    .execute();
}

/** Page of the cards of a state, newest first by `seq`, which is unique; at most `limit` rows of methods_agent or methods_state. */
export function methodPage(db: Reader, filter: MethodFilter, range: PageRange): Promise<MethodRow[]> {
  return newestPage(matches(db, filter).selectAll(), range);
}

/** Exact number of cards that match; reads each of them in methods_agent or methods_state. */
export async function methodCount(db: Reader, filter: MethodFilter): Promise<number> {
  return countOf(matches(db, filter));
}

function matches(db: Reader, { state, agentName }: MethodFilter) {
  const query = db.selectFrom('methods');
  if (agentName === undefined) return query.where('state', '=', state);
  return query.where('agent_name', '=', agentName).where(unindexed<MethodState>('state'), '=', state);
}

/** Reported uses of each slug; reads every use of them in the unique index on slug and finding. */
export async function usesOf(db: Reader, slugs: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (slugs.length === 0) return new Map();
  const rows = await db
    .selectFrom('method_uses')
    .select(({ fn }) => ['slug', fn.countAll<number>().as('uses')])
    .where('slug', 'in', slugs)
    .groupBy('slug')
    .execute();
  return new Map(rows.map(({ slug, uses }) => [slug, uses]));
}

/** The report that a finding was made by a slug; one row of the unique index on both. */
export function useOf(db: Reader, slug: string, findingId: string): Promise<MethodUseRow | undefined> {
  return db
    .selectFrom('method_uses')
    .selectAll()
    .where('slug', '=', slug)
    .where('finding_id', '=', findingId)
    .executeTakeFirst();
}
