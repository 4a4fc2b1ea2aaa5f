import { EVIDENCE_CLASSES, type EvidenceDirection } from '../../contract/declared/research.ts';
import { CONTRADICTION_SIDE_MAX_ITEMS } from '../../contract/limits/research.ts';
import type { Contradiction, Side } from '../../contract/schemas/research/cure-lab.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { outcomeSide, sourceSide } from './evidence-store.ts';
import { talliesOf } from './evidence-tally-store.ts';
import { aboutOf, groupOf } from './scopes.ts';
import type { ContradictionRow, EvidenceTallyRow } from './tables.ts';

/** One direction of a scope's counts, zero where nothing was counted. */
export function sideOf(tallies: readonly EvidenceTallyRow[], direction: EvidenceDirection): Side {
  const own = tallies.filter((tally) => tally.direction === direction);
  const all = own.find(({ evidence_class }) => evidence_class === '');
  const byClass = Object.fromEntries(
    EVIDENCE_CLASSES.map((id) => [id, own.find(({ evidence_class }) => evidence_class === id)?.claims ?? 0]),
  ) as Side['byClass'];
  return { claims: all?.claims ?? 0, cohorts: all?.cohorts ?? 0, byClass };
}

/** The contradictions with both of their sides, in the order of the rows. */
export async function presentContradictions(db: Reader, rows: readonly ContradictionRow[]): Promise<Contradiction[]> {
  const tallies = await talliesOf(
    db,
    rows.map(({ scope }) => scope),
  );
  return Promise.all(
    rows.map(async ({ scope, kind, seq }) => {
      const own = tallies.filter((tally) => tally.scope === scope);
      const side = async (direction: EvidenceDirection) => ({
        ...sideOf(own, direction),
        claimIds: await idsOf(db, scope, direction),
      });
      return {
        kind,
        about: aboutOf(scope),
        since: toIso(seq),
        supports: await side('supports'),
        contradicts: await side('contradicts'),
      };
    }),
  );
}

function idsOf(db: Reader, scope: string, direction: EvidenceDirection): Promise<string[]> {
  const limit = CONTRADICTION_SIDE_MAX_ITEMS;
  return scope.startsWith('outcome:')
    ? outcomeSide(db, groupOf(scope), direction, limit)
    : sourceSide(db, aboutOf(scope), direction, limit);
}
