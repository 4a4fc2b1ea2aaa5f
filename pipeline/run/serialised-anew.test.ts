import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../server-kit/config/config.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { nct, study } from '../../test/support/live-records.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { diff } from '../diff/diff.ts';
import { type RunReport, run } from './run.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-serialised-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function read(lines: readonly string[]): Promise<RunReport> {
  const dump = join(root, 'ctgov.ndjson');
  await writeFile(dump, lines.map((line) => `${line}\n`).join(''));
  const places = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  const config = loadConfig({ ...places, FEEDS_FILE: NO_FEEDS }, root);
  return run({ source: 'dump', mode: 'auto', dumps: { clinicaltrials_gov: dump }, accept: [] }, config, quietEffects());
}

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
    const studies = Array.from({ length: 8 }, (_, index) => JSON.stringify(study({ nctId: nct(index) })));
    const { published } = await read(studies);
    const renamed = studies.map((text) => text.replace('"conditionsModule"', '"conditionModule"'));
    await expect(read(renamed)).rejects.toThrow('nulls:clinicaltrials_gov:conditions');
    const back = await read(studies.map(blanks));
    expect(back.published).toMatchObject({ version: published.version, unchangedAt: expect.any(String) });
    // The rows of the refused run gave way to the published ones, which are known from then on.
    expect((await read(studies.map(blanks))).normalise.registries[0]).toMatchObject({ normalised: 0, unchanged: 8 });
    await rm(join(root, 'data'), { recursive: true });
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
  const { totals, registrations } = await diff(join(root, 'snapshots'), from, to, null);
  expect(totals.registrations).toMatchObject({ added: 0, changed: 1, removed: 0 });
  expect(registrations.changed.map(({ id }) => id)).toEqual([nct(3)]);
  expect(second.published.manifest.changes).toMatchObject({ changed: 1 });
});

deep.only(() => {
  it('the next day’s whole data set, of another day in every record, changes the records that changed alone', async () => {
    const on = (day: string, title: string): string[] =>
      Array.from({ length: 12 }, (_, index) =>
        JSON.stringify({
          ...study({ nctId: nct(index), title: index === 0 ? title : 'T', updated: index === 0 ? day : '2026-11-01' }),
          derivedSection: { miscInfoModule: { versionHolder: day } },
        }),
      );
    const first = await read(on('2026-11-19', 'Before'));
    // Most are equal text by text but for the day; one is written with blanks too.
    const next = await read(on('2026-11-20', 'After').map((text, index) => (index === 5 ? blanks(text) : text)));
    expect(next.normalise.registries[0]).toMatchObject({ read: 12, kept: 12, normalised: 1, unchanged: 11 });
    expect(next.published.manifest).toMatchObject({ asOf: '2026-11-20', changes: { changed: 1 } });
    const { totals } = await diff(join(root, 'snapshots'), first.published.version, next.published.version, null);
    expect(totals.registrations).toMatchObject({ added: 0, changed: 1, removed: 0 });
  });
});
