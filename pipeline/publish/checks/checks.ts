import { readFile } from 'node:fs/promises';
import type { ManifestRegistry } from '../../../snapshot/format/versions/manifest.ts';
import type { Database } from '../../store/database.ts';

/**
 * Throws when the working tables contradict each other (each registration must be in exactly one current trial, and so
 * on), or when they do not hold as many rows as the manifest's registries state.
 */
export async function checkWorkingTables(db: Database, registries: readonly ManifestRegistry[]): Promise<void> {
  const contradiction = await db.one(await readFile(new URL('checks.sql', import.meta.url), 'utf8'));
  if (contradiction !== null) {
    throw new Error(`${contradiction.problem}: the tables come from different runs; run normalise and dedup again`);
  }
  for (const [table, member] of [
    ['registrations', 'registrations'],
    ['quarantine', 'quarantined'],
  ] as const) {
    const rows = await db.all(`SELECT registry, count(*)::DOUBLE AS held FROM ${table} GROUP BY registry`);
    const held = new Map(rows.map((row) => [String(row.registry), Number(row.held)]));
    for (const { registry, state, [member]: announced } of registries) {
      const found = held.get(registry) ?? 0;
      held.delete(registry);
      const fits = state === 'answered' ? announced === found : announced === null && found === 0;
      if (fits) continue;
      throw new Error(`${registry} (${state}) should have ${announced} rows in ${table}, but the table holds ${found}`);
    }
    const [unannounced] = held.keys();
    if (unannounced !== undefined)
      throw new Error(`${table} holds rows of ${unannounced}, which the manifest does not list`);
  }
}
