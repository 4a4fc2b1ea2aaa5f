import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { workspaceOf } from '../../pipeline/run/workspace.ts';
import { type Database, openWorkingDatabase } from '../../pipeline/store/database.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { folderOfFile } from '../support/folders.ts';
import plan from './planted-cases.json' with { type: 'json' };

/** Deduplication must find exactly the cases that stand at the head of the sample, and its overlaps. */

const { path: root } = folderOfFile();
let db: Database;
let partners: Map<string, string>;
let held: Set<string>;
beforeAll(async () => {
  await cp(inject('sampleData'), join(root, 'data'), { recursive: true });
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  db = await openWorkingDatabase(workspaceOf(config, 'sample').dataDir);
  const pairs = await db.all(
    `SELECT c.registration_id AS nct, i.registration_id AS isrctn FROM trial_members c JOIN trial_members i
     ON c.canonical_id = i.canonical_id AND c.registry = 'clinicaltrials_gov' AND i.registry = 'isrctn'`,
  );
  partners = new Map(pairs.map((row) => [String(row.nct), String(row.isrctn)]));
  held = new Set((await db.all('SELECT id FROM registrations')).map((row) => String(row.id)));
});
afterAll(() => db.close());

describe('every planted case', () => {
  it('is there at all', () => expect(plan.cases.length).toBeGreaterThan(25));

  it.each(plan.cases.map((one, index) => [`${index} ${one.kind}: ${one.expect}`, one] as const))(
    '%s',
    async (_title, one) => {
      const merged = one.nct.filter((nct) => partners.has(nct)).map((nct) => [nct, partners.get(nct)]);
      expect(merged.sort()).toEqual([...one.joins].sort());
      for (const [nct, isrctn] of one.conflicts as [string, string][]) {
        const links = await db.all(
          'SELECT conflict FROM links WHERE (from_id = $1 AND to_id = $2) OR (from_id = $2 AND to_id = $1)',
          [nct, isrctn],
        );
        expect(links.length).toBeGreaterThan(0);
        expect(links.every((link) => link.conflict === true)).toBe(true);
      }
    },
  );

  it('and every background overlap is one trial, and nothing else is', () => {
    const overlaps = plan.overlaps.filter((pair) => pair.every((id) => held.has(id)));
    const planned = [...plan.cases.flatMap(({ joins }) => joins), ...overlaps];
    expect([...partners].sort()).toEqual(planned.sort());
  });
});
