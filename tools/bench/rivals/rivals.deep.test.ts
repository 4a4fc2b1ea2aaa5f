import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readCurrent } from '../../../snapshot/format/versions/current.ts';
import { pathOf } from '../../cluster/programs.ts';
import { rivalsTable } from './command.ts';
import { measureRivals, RIVALS, type RivalName } from './rivals.ts';

const WORKS = ['coverage counts, mixed', 'search, common', 'search, mixed', 'search, rare', 'status mix, mixed'];
const here = RIVALS.filter((name) => name !== 'postgres' || existsSync(pathOf('postgres')));

describe('the comparison with other engines', () => {
  it.each(here)(
    'gets our answers from %s over the sample, and reports ours over HTTP with them',
    async (name: RivalName) => {
      const version = (await readCurrent(inject('sampleSnapshots'))) as string;
      const results = await measureRivals(join(inject('sampleSnapshots'), version), { only: [name], seconds: 0.1 });
      const [rival] = results.rivals;
      expect(Object.keys(rival!.works).sort()).toEqual(WORKS);
      for (const { asked, differing, theirs } of Object.values(rival!.works)) {
        expect(differing).toEqual([]);
        expect(asked).toBeGreaterThanOrEqual(10);
        expect(theirs.count).toBeGreaterThanOrEqual(10);
      }
      expect(rival!.works['search, mixed']!.overHttp?.failed).toBe(0);
      expect(rival!.bytesOnDisk).toBeGreaterThan(0);
      const table = rivalsTable(results);
      expect(table).toContain(`${results.trials} trials of snapshot ${results.snapshot}`);
      expect(table).not.toContain('answers differ');
    },
  );
});
