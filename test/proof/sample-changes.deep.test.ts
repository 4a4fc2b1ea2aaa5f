import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withScratchDatabase } from '../../pipeline/store/scratch-database.ts';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import { readLog } from '../../snapshot/format/versions/publication-log.ts';
import { NoProof, proofBundle } from '../../snapshot/sql/proof-bundle.ts';
import { verified } from '../support/checks/verified.ts';
import { amountOf } from '../support/runner/amount.ts';
import { twoVersions } from '../support/two-versions.ts';

/** Of so many changed or new trials one; of those that did not change one in a hundred. */
const EVERY = amountOf({ quick: 6, deep: 1 });

it('the changes that a publication stores are what the verifier finds between the rows of both days of the sample', async () => {
  await using versions = await twoVersions();
  const at = async (version: string) => {
    const directory = join(versions.snapshotsDir, version);
    return { directory, manifest: await readManifest(directory) };
  };
  const [newer, parent] = [await at(versions.newer), await at(versions.older)];
  const asked = { log: await readLog(versions.snapshotsDir), since: null, changes: true };
  const found = { changed: 0, equal: 0, added: 0 };
  await withScratchDatabase(async (db) => {
    const ids = await db.all(
      `SELECT canonical_id FROM (
         SELECT canonical_id, canonical_id IN (SELECT canonical_id FROM '${newer.directory}/changes.parquet') AS changed,
           canonical_id IN (SELECT canonical_id FROM '${parent.directory}/trials.parquet') AS held
         FROM '${newer.directory}/trials.parquet'
       ) QUALIFY (row_number() OVER (PARTITION BY changed, held ORDER BY canonical_id) - 1) % CASE WHEN changed THEN ${EVERY} ELSE 100 END = 0
       ORDER BY canonical_id`,
    );
    for (const { canonical_id } of ids) {
      const id = String(canonical_id);
      const bundle = await proofBundle(db, newer, id, { ...asked, parent }).catch((error: unknown) => {
        // The parent does not hold a new trial, whose changes are proven alone.
        expect(error).toBeInstanceOf(NoProof);
        expect((error as NoProof).message).toContain(`The parent ${parent.manifest.version} holds no trial ${id}`);
        return proofBundle(db, newer, id, asked);
      });
      const result = await verified(bundle);
      expect(result, id).toMatchObject({ ok: true });
      const isChanged = result.proven!.changed!.length > 0;
      found[bundle.parent === undefined ? 'added' : isChanged ? 'changed' : 'equal'] += 1;
    }
  });
  expect(Math.min(...Object.values(found))).toBeGreaterThan(0);
});
