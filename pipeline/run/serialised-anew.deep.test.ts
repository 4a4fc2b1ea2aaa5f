import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runRecords, someStudies } from '../../test/support/dump-runs.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { nct, study } from '../../test/support/live-records.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { diff } from '../diff/diff.ts';

const root = folderOfTest();
const read = (studies: readonly string[]) => runRecords(root.path, { studies });

/** A value with its keys in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

const blanks = (text: string): string => text.replaceAll('":', '" : ');

deep.it(
  'what is published is what counts, also after a run that was refused and by a new working database',
  async () => {
    const studies = someStudies(8).map((one) => JSON.stringify(one));
    const { published } = await read(studies);
    const renamed = studies.map((text) => text.replace('"conditionsModule"', '"conditionModule"'));
    await expect(read(renamed)).rejects.toThrow('nulls:clinicaltrials_gov:conditions');
    const back = await read(studies.map(blanks));
    expect(back.published).toMatchObject({ version: published.version, unchangedAt: expect.any(String) });
    // The rows of the refused run gave way to the published ones, which are known from then on.
    expect((await read(studies.map(blanks))).normalise.registries[0]).toMatchObject({ normalised: 0, unchanged: 8 });
    await rm(join(root.path, 'data'), { recursive: true });
    expect((await read(studies.map(blanks))).published).toMatchObject({ version: published.version });
  },
);

it('a record that was only serialised anew is no change; one with another value is, also on the day of its update', async () => {
  const [plain, escaped, ordered, other, dated] = [0, 1, 2, 3, 4].map((index) =>
    study({ nctId: nct(index), title: 'Été' }),
  );
  const first = await read([plain, escaped, ordered, other, dated].map((one) => JSON.stringify(one)));
  const changed = structuredClone(other) as {
    protocolSection: { designModule: { enrollmentInfo: { count: number } } };
  };
  changed.protocolSection.designModule.enrollmentInfo.count = 121;
  const second = await read([
    blanks(JSON.stringify(plain)),
    JSON.stringify(escaped).replaceAll('É', '\\u00c9'),
    JSON.stringify(reversed(ordered)),
    JSON.stringify(changed),
    // The registry writes the day of the data set into every record.
    JSON.stringify(dated).replace('2026-11-20', '2026-11-19'),
  ]);
  expect(second.normalise.registries[0]).toMatchObject({ read: 5, kept: 5, normalised: 1, unchanged: 4 });
  const [from, to] = [first, second].map(({ published }) => published.version) as [string, string];
  const { totals, registrations } = await diff(join(root.path, 'snapshots'), from, to, null);
  expect(totals.registrations).toMatchObject({ added: 0, changed: 1, removed: 0 });
  expect(registrations.changed.map(({ id }) => id)).toEqual([nct(3)]);
  expect(second.published.manifest.changes).toMatchObject({ changed: 1 });
});
