import type { RegistryId } from '../../contract/ids.ts';
import type { CANONICAL_ID_STATES } from '../../contract/vocabularies.ts';

/** A canonical id that was given at some time; a row of the `canonical_ids` table and of its Parquet file. */
export interface LedgerRow {
  /** `wt_` and 12 base-32 characters or, after a collision, more. */
  canonicalId: string;
  /** The registration whose hash is the id; unique in the ledger. */
  foundingRegistry: RegistryId;
  foundingId: string;
  /**
   * `current`: a trial has it. `alias`: its trial is found under `aliasOf`. `retired`: its trial is gone. `divided`: its
   * founding registration came to stand with another partner, so it leads to the trials of both and is never given again.
   */
  state: (typeof CANONICAL_ID_STATES)[number];
  /** Never itself an alias at the time of writing; null unless the state is `alias`. */
  aliasOf: string | null;
  /** ISO 8601 UTC. */
  firstSeen: string;
  /** The registration of the other registry that shared a trial with the founder; kept when they part. Null: none did. */
  partnerId: string | null;
}

/**
 * The rows by canonical id. Throws when the ledger contradicts itself: an id or a founding registration twice, an
 * alias without a target, or aliases in a circle. Such a ledger would give an id to two trials or to none.
 */
export function assertLedger(rows: readonly LedgerRow[]): Map<string, LedgerRow> {
  const byId = new Map<string, LedgerRow>();
  const founders = new Set<string>();
  for (const row of rows) {
    if (byId.has(row.canonicalId)) throw unusable(`${row.canonicalId} stands twice`);
    byId.set(row.canonicalId, row);
    if (row.state === 'divided') continue;
    if (founders.has(row.foundingId)) throw unusable(`${row.foundingId} founds two ids`);
    founders.add(row.foundingId);
  }
  for (const row of rows) {
    if ((row.state === 'alias') !== (row.aliasOf !== null))
      throw unusable(`${row.canonicalId} is ${row.state} with alias_of ${row.aliasOf}`);
    let target: LedgerRow = row;
    for (let steps = 0; target.aliasOf !== null; steps += 1) {
      const next = byId.get(target.aliasOf);
      if (next === undefined)
        throw unusable(`${target.canonicalId} is an alias of ${target.aliasOf}, which is not there`);
      if (steps > rows.length) throw unusable(`the aliases from ${row.canonicalId} on form a circle`);
      target = next;
    }
  }
  return byId;
}

function unusable(what: string): Error {
  return new Error(
    `the ledger of canonical ids is not usable: ${what}. Restore canonical_ids from the snapshot that is served and run dedup again.`,
  );
}
