import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { landscape } from '../../../index-server/search/counting/landscape.ts';
import { compileFilters } from '../../../index-server/search/filters.ts';
import { matchingRows } from '../../../index-server/search/matching.ts';
import { openSnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { gc } from '../../../pipeline/publish/retention/gc.ts';
import { quietEffects } from '../../builders/working-database.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';
import { twoVersions } from '../../support/two-versions.ts';

const LANDSCAPE = '/api/v1/trials/landscape';
const MIXES = ['phases', 'statuses', 'recruitmentStatuses', 'studyTypes', 'sponsorClasses'] as const;

interface Change {
  value: string;
  before: number;
  now: number;
  change: number | null;
}

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));

describe('a landscape against an earlier version', () => {
  it.each([
    ['', {}],
    ['q=diabetes&', { q: 'diabetes' }],
  ])('of %s counts what that version counts by itself, and takes the difference', async (query, filters) => {
    const plain = (await gateway.get(`${LANDSCAPE}?${query}`)).body.data;
    const { data, _meta } = (await gateway.get(`${LANDSCAPE}?${query}against=${versions.older}`)).body;
    const { against, ...rest } = data;
    expect(rest).toEqual(plain);
    const image = openSnapshotImage(join(versions.snapshotsDir, versions.older));
    const older = landscape(image, matchingRows(image, compileFilters(filters)), 20_000);
    image.release();
    expect(against.trials).toEqual({ before: older.trials, now: plain.trials, change: plain.trials - older.trials });
    for (const mix of MIXES) {
      expect(against[mix]).toEqual(
        older[mix].map(({ value, trials }, place) => ({
          value,
          before: trials,
          now: plain[mix][place].trials,
          change: plain[mix][place].trials - trials,
        })),
      );
    }
    expect(_meta.snapshot).toBe(versions.newer);
    expect(_meta.filters).not.toHaveProperty('against');
  });

  it('names the version and its day, and whether the same rules and registries stand behind both', async () => {
    const { against } = (await gateway.get(`${LANDSCAPE}?against=previous`)).body.data;
    expect(against).toMatchObject({
      version: versions.older,
      asOf: '2026-10-01',
      sameRules: true,
      registries: [
        { registry: 'clinicaltrials_gov', before: { state: 'answered' }, now: { state: 'answered' } },
        { registry: 'isrctn', before: { state: 'answered' }, now: { state: 'answered' } },
      ],
      trials: { before: 766, now: 767, change: 1 },
    });
    expect(against.statuses.reduce((sum: number, { change }: Change) => sum + (change ?? 0), 0)).toBe(1);
  });

  it('keeps the earlier version open that was named last, and every one for as long as a request reads it', async () => {
    const { holder, versionList } = gateway.index;
    const known = await versionList.find(versions.older);
    if (known === null || !('manifest' in known)) throw new Error('the older version is not held');
    const first = await holder.acquireVersion(known);
    using second = await holder.acquireVersion(known);
    expect([first.image === second.image, first.image.trials, holder.version]).toEqual([true, 766, versions.newer]);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(second.image.released).toBe(false);
  });
});

it('a version that cannot be opened is unavailable, and one that gc removed is a 404 that says when', async () => {
  const { snapshotsDir, older, newer } = versions;
  await using fresh = await openGateway(snapshotsDir);
  const path = join(snapshotsDir, older, 'serving', 'topics.arrow');
  await writeFile(path, 'cut');
  const cut = await fresh.get(`${LANDSCAPE}?against=${older}`);
  expect([cut.status, cut.body.error.code]).toEqual([503, 'TRIALS_UNAVAILABLE']);
  const effects = quietEffects({ now: () => new Date('2026-12-01T03:15:00.000Z') });
  expect((await gc(snapshotsDir, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, effects)).removed).toEqual([older]);
  const removed = await fresh.get(`${LANDSCAPE}?against=${older}`);
  expect([removed.status, removed.body.error.code]).toEqual([404, 'NOT_FOUND']);
  expect(removed.body.error.message).toContain('was removed on 2026-12-01T03:15:00.000Z, so it cannot be compared');
  const previous = await fresh.get(`${LANDSCAPE}?against=previous`);
  expect([previous.status, previous.body.error.message]).toEqual([
    404,
    `No version before ${newer} is held, so there is none to compare with. Held are ${newer}.`,
  ]);
});
