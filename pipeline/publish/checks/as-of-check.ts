import { parquetSource } from '../../../snapshot/sql/tables.ts';
import type { Connection } from '../../store/database.ts';
import { acceptName, type CheckRules } from './check-rules.ts';
import { type ComparedContent, daysWords, EXAMPLES, type Finding, MS_PER_DAY } from './content-checks.ts';

/** Whether the day goes back to which statuses that follow from dates are derived, and which of them move with it. */
export async function asOfFinding(
  db: Connection,
  { before, after }: Pick<ComparedContent, 'before' | 'after'>,
  rules: CheckRules,
): Promise<Finding> {
  const figure = Math.max(0, (Date.parse(before.asOf) - Date.parse(after.asOf)) / MS_PER_DAY);
  const { limit } = rules.checks['as-of'];
  const moved = figure > 0 ? await movedStatuses(db, before.dir, after.dir) : [];
  const affected = moved.reduce((sum, { count }) => sum + count, 0);
  // Some days back are usual where a dump follows a live run, as long as no status goes back with them.
  const exceeded = figure > limit || affected > 0;
  const named = moved.map(({ registry, was, is, count }) => `${registry} ${was} to ${is} ${count}`);
  return {
    check: 'as-of',
    name: acceptName('as-of'),
    figure,
    affected: figure > 0 ? affected : null,
    limit,
    exceeded,
    detail: `the day of the statuses goes back from ${before.asOf} to ${after.asOf} (${daysWords(figure)}, at most ${limit}, and none where a status goes with it); of unchanged records ${affected} have another status by it${affected === 0 ? '' : `: ${named.join(', ')}`}`,
    examples: moved.flatMap(({ ids }) => ids).slice(0, EXAMPLES),
  };
}

interface Moved {
  registry: string;
  was: string;
  is: string;
  count: number;
  ids: string[];
}

/** Records with equal payloads whose status differs, by registry and both statuses, most frequent first. */
async function movedStatuses(db: Connection, before: string, after: string): Promise<Moved[]> {
  const rows = await db.all(
    `SELECT registry, a.recruitment_status AS was, b.recruitment_status AS "is", count(*)::DOUBLE AS moved,
       list(id ORDER BY id)[:${EXAMPLES}] AS ids
     FROM ${parquetSource(before, 'registrations')} a JOIN ${parquetSource(after, 'registrations')} b
       USING (registry, id, payload_sha256)
     WHERE a.recruitment_status <> b.recruitment_status
     GROUP BY ALL ORDER BY moved DESC, registry, was, "is"`,
  );
  return rows.map(({ registry, was, is, moved, ids }) => ({
    registry: String(registry),
    was: String(was),
    is: String(is),
    count: Number(moved),
    ids: ids as string[],
  }));
}
