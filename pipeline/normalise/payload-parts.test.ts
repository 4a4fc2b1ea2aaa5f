import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quietEffects } from '../../test/builders/working-database.ts';
import { temporaryDirectory } from '../../test/support/raw-sets.ts';
import { openWorkingDatabase } from '../store/database.ts';
import { PayloadParts, rawPartsDirectory } from './payload-parts.ts';

// A whole row group is decompressed to read one payload: with one group for all, a payload would cost 65 ms of CPU.
test('a part has a row group for every 256 kB of payloads, in order of id, and each payload as it came', async () => {
  await using place = await temporaryDirectory();
  await using db = await openWorkingDatabase(place.path);
  await using parts = await PayloadParts.open(db, place.path, quietEffects());
  const text = (n: number): string => `{"n":${n},"text":"${'é'.repeat(50_000)}"}`;
  for (const n of [3, 1, 4, 2, 5]) {
    const payload = { id: `NCT0000000${n}`, sha256: `${n}`, bytes: Buffer.from(text(n)) };
    await parts.add({ registry: 'clinicaltrials_gov', ...payload });
  }
  await parts.flush();
  const [part] = await readdir(rawPartsDirectory(place.path));
  const file = join(rawPartsDirectory(place.path), String(part));
  const groups = await db.all(
    `SELECT stats_min AS "first", stats_max AS "last" FROM parquet_metadata('${file}')
     WHERE path_in_schema = 'id' ORDER BY row_group_id`,
  );
  expect(groups).toEqual([
    { first: 'NCT00000001', last: 'NCT00000003' },
    { first: 'NCT00000004', last: 'NCT00000005' },
  ]);
  const rows = await db.all(`SELECT payload_sha256 AS n, format, payload FROM '${file}' ORDER BY id`);
  expect(rows).toEqual([1, 2, 3, 4, 5].map((n) => ({ n: `${n}`, format: 'json', payload: text(n) })));
});
