import type { RegistryId } from '../../contract/ids.ts';
import { appendRows } from '../store/append-rows.ts';
import type { Database } from '../store/database.ts';
import type { RegistrationRef } from './evidence.ts';
import { compareText } from './evidence.ts';

/** A held record says that `number` is an earlier number of its own. */
export interface NumberClaim {
  registry: RegistryId;
  by: string;
  number: string;
  field: string;
  rawValue: string;
}

/** A claim on the number of another held record. */
export interface SupersedingClaim {
  from: RegistrationRef;
  to: RegistrationRef;
  field: string;
  rawValue: string;
  /** False where several records claim the number and do not lead to one record: then it keeps its own record. */
  isDecided: boolean;
  /** False also where the claims go round in a circle and `to` is the record of it that counts. */
  isSuperseded: boolean;
  /** Whether each of the two claims the other's number. */
  mutual: boolean;
}

/**
 * The held record that each claimed number leads to; null where several records claim it that lead to different ones. A chain of claims
 * ends at the record whose number nobody claims, a circle at its lowest number. Depends on the set of claims, not on their order.
 */
export function followClaims(claims: readonly Pick<NumberClaim, 'by' | 'number'>[]): Map<string, string | null> {
  const claimants = new Map<string, Set<string>>();
  for (const { by, number } of claims) {
    if (by === number) continue;
    claimants.set(number, (claimants.get(number) ?? new Set()).add(by));
  }
  const next = new Map<string, string>();
  for (let isNew = true; isNew; ) {
    const endOf = endsOf(next);
    // Found before any is entered, so that no number of this round depends on another one's place in the list.
    const found = [...claimants].flatMap(([number, by]) => {
      if (next.has(number)) return [];
      const [end, ...others] = new Set([...by].map(endOf));
      return others.length === 0 && end !== undefined && (by.size === 1 || end !== number) ? [[number, by, end]] : [];
    }) as [string, Set<string>, string][];
    for (const [number, by, end] of found) next.set(number, by.size === 1 ? [...by][0]! : end);
    isNew = found.length > 0;
  }
  const endOf = endsOf(next);
  return new Map(
    [...claimants].map(([number, by]) => {
      if (next.has(number)) return [number, endOf(number)];
      const ends = new Set([...by].map(endOf));
      return [number, ends.size === 1 ? number : null];
    }),
  );
}

/** Where a chain of steps ends: at a number without a next one, or at the lowest number of a circle. Each number is followed once. */
function endsOf(next: ReadonlyMap<string, string>): (number: string) => string {
  const known = new Map<string, string>();
  return (number) => {
    const path: string[] = [];
    const places = new Map<string, number>();
    let at = number;
    while (!known.has(at) && next.has(at) && !places.has(at)) {
      places.set(at, path.length);
      path.push(at);
      at = next.get(at)!;
    }
    const circle = places.has(at) ? path.slice(places.get(at)) : [at];
    const end = known.get(at) ?? circle.sort(compareText)[0]!;
    for (const passed of [...path, at]) known.set(passed, end);
    return end;
  };
}

/**
 * Finds which held record each superseded number means and leaves it in the temporary table `dedup_successors` (registry, "number", target;
 * null for a number that means none). Marks the superseded records in `registrations`. Returns the claims on numbers of held records.
 */
export async function findSuperseded(db: Database): Promise<SupersedingClaim[]> {
  const claims = (await db.all(`
    SELECT a.registry, a.id AS "by", a."number", coalesce(min(s.field), 'nctIdAliases') AS field,
      coalesce(min(s.raw_value), a."number") AS "rawValue", bool_or(h.id IS NOT NULL) AS "isHeld"
    FROM (SELECT DISTINCT registry, id, unnest(aliases) AS "number" FROM registrations) a
    LEFT JOIN stated_identifiers s
      ON s.registry = a.registry AND s.registration_id = a.id AND s."role" = 'alias' AND s."value" = a."number"
    LEFT JOIN registrations h ON h.registry = a.registry AND h.id = a."number"
    WHERE a."number" <> a.id
    GROUP BY a.registry, a.id, a."number"
    ORDER BY a.registry, a.id, a."number"`)) as unknown as (NumberClaim & { isHeld: boolean })[];
  const ends = followClaims(claims);
  await db.run('CREATE OR REPLACE TEMP TABLE dedup_successors (registry VARCHAR, "number" VARCHAR, target VARCHAR)');
  const registries = new Map(claims.map(({ registry, number }) => [number, registry]));
  const successors = registries.entries().map(([number, registry]) => [registry, number, ends.get(number) ?? null]);
  await appendRows(db, 'dedup_successors', successors);
  await db.run(`
    UPDATE registrations r SET superseded_by = n.target
    FROM (
      SELECT r.registry, r.id, nullif(s.target, r.id) AS target
      FROM registrations r LEFT JOIN dedup_successors s ON s.registry = r.registry AND s."number" = r.id
      WHERE r.superseded_by IS NOT NULL OR s.target <> r.id
    ) n
    WHERE n.registry = r.registry AND n.id = r.id AND n.target IS DISTINCT FROM r.superseded_by`);
  const pairs = new Set(claims.map(({ by, number }) => `${by} ${number}`));
  return claims
    .filter(({ isHeld }) => isHeld)
    .map(({ registry, by, number, field, rawValue }) => ({
      from: { registry, id: by },
      to: { registry, id: number },
      field,
      rawValue,
      isDecided: ends.get(number) !== null,
      isSuperseded: ![null, number].includes(ends.get(number) ?? null),
      mutual: pairs.has(`${number} ${by}`),
    }));
}
