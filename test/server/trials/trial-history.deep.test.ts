import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangedTrial } from '../../../contract/schemas/trials/trial-change.ts';
import { CURRENT_FILE } from '../../../snapshot/format/versions/current-file.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';
import { followedVersions, GONE, ONE, OTHER, TWO } from '../../support/snapshots/followed-versions.ts';
import { until } from '../../support/until.ts';

const CHANGES = '/api/v1/trials/changes';

const root = ofFile(() => followedVersions());
const gateway = ofFile(() => openGateway(root.snapshots));

/** Each entry in short: number of its version, id, what changed. */
function short(trials: readonly ChangedTrial[]): string[] {
  return trials.map(({ version, canonicalId, changes }) => {
    const words = changes.map(({ kind, field, new: fresh }) =>
      field === null ? kind : `${field}=${JSON.stringify(fresh)}`,
    );
    return `${root.versions.indexOf(version)} ${canonicalId} ${words.join(' ')}`;
  });
}

async function everyPage(query: string, limit: number): Promise<ChangedTrial[]> {
  const found: ChangedTrial[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await gateway.get(`${CHANGES}?${query}&limit=${limit}${cursor}`);
    found.push(...body.data.trials);
    const { hasMore, nextCursor } = body._meta.pagination;
    expect(body.data.trials.length).toBeLessThanOrEqual(limit);
    if (!hasMore) return found;
    cursor = `&cursor=${nextCursor}`;
  }
}

const ALL = [
  `1 ${ONE} title="Metformin for type 2 diabetes"`,
  `2 ${GONE} registration-removed trial-removed`,
  `2 ${ONE} aliases=["${TWO}"] isrctn_id="ISRCTN00000001" registries=["clinicaltrials_gov","isrctn"]`,
  `2 ${TWO} trial-merged`,
  `3 ${OTHER} enrollment_count=7`,
];

describe('what changed', () => {
  it('since a version is told a trial and version each, oldest first, with old and new value', async () => {
    const { body } = await gateway.get(`${CHANGES}?since=${root.versions[0]}`);
    expect(short(body.data.trials)).toEqual(ALL);
    expect(body.data).toMatchObject({
      between: { from: root.versions[0], to: root.versions[3], versions: 3, missing: [], complete: true },
      kept: { from: root.versions[0], to: root.versions[3], versions: 3 },
      removedTold: true,
      summary: `Changes between ${root.versions[0]} and ${root.versions[3]}. Ask next time with since=${root.versions[3]}.`,
    });
    expect(body.data.trials[0]).toEqual({
      canonicalId: ONE,
      heldBy: ONE,
      title: 'Metformin for type 2 diabetes',
      version: root.versions[1],
      publishedAt: '2026-11-22T03:15:00.000Z',
      parent: root.versions[0],
      kinds: ['registration-changed', 'trial-changed'],
      changes: [
        {
          ...{ kind: 'registration-changed', field: 'title' },
          ...{ old: 'Metformin for diabetes', new: 'Metformin for type 2 diabetes' },
          ...{ registry: 'clinicaltrials_gov', registrationId: 'NCT00000001', ofTrial: true, item: null, related: [] },
        },
      ],
      more: 0,
    });
    expect(body.data.trials[1]).toMatchObject({ heldBy: null, title: 'Rest for pain' });
    expect(body.data.trials[3]).toMatchObject({ canonicalId: TWO, heldBy: ONE, changes: [{ related: [ONE] }] });
  });

  it.each([
    ['', [ALL[4]]],
    // The trial that merged into it is of the set by the id that it had; the one that is gone cannot be tested.
    ['since=2026-11-20&q=diabetes', [ALL[0], ALL[2], ALL[3]]],
    ['since=2026-11-20&q=pain', [ALL[4]]],
    ['since=2026-11-20&q=pain&enrollmentMax=5', []],
    ['since=2026-11-20&match=concepts', ALL],
  ])('with %s', async (query, expected) => {
    const { status, body } = await gateway.get(`${CHANGES}?${query}`);
    expect([status, short(body.data.trials)]).toEqual([200, expected]);
  });

  it('says between which versions nothing changed, and that a filter tells no removed trials', async () => {
    const none = (await gateway.get(`${CHANGES}?since=current`)).body.data;
    expect(none).toMatchObject({
      between: { from: root.versions[3], to: root.versions[3], versions: 0, complete: true },
      trials: [],
    });
    expect(none.summary).toBe(
      `No version was published after ${root.versions[3]}: nothing changed. Ask again with since=${root.versions[3]}.`,
    );
    const filtered = (await gateway.get(`${CHANGES}?since=${root.versions[2]}&q=diabetes`)).body.data;
    expect(filtered).toMatchObject({ removedTold: false, trials: [] });
    expect(filtered.summary).toBe(
      `Nothing that was asked for changed between ${root.versions[2]} and ${root.versions[3]}. Ask next time with since=${root.versions[3]}. Trials that are no longer held are not told (removedTold): a filter cannot test them.`,
    );
    const page = async (more = '') => (await gateway.get(`${CHANGES}?since=2020-01-01&limit=1${more}`)).body;
    const { data: early, _meta } = await page();
    expect(early.between).toMatchObject({ from: root.versions[0], complete: false });
    const { data: second } = await page(`&cursor=${_meta.pagination.nextCursor}`);
    expect(second.between).toEqual(early.between);
    const why = `The changes before ${root.versions[0]} are not kept, so that what changed before it is not told.`;
    expect([early.summary, second.summary]).toEqual([expect.stringContaining(why), expect.stringContaining(why)]);
  });

  it.each([
    [
      'since=20200101T000000Z-00000000',
      'since',
      /^a version from \S+ to \S+, between which changes are kept \(3 versions\)/,
    ],
  ])('is refused for %s', async (query, parameter, expected) => {
    const { status, body } = await gateway.get(`${CHANGES}?${query}`);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', parameter]);
    expect(body.error.expected).toMatch(expected);
  });

  it('in pages of any size is the whole, and a cursor is of its own filters only', async () => {
    for (const query of [
      'since=2026-11-20',
      'since=2026-11-20&q=diabetes',
      `since=${root.versions[1]}&until=${root.versions[2]}`,
    ]) {
      const whole = await everyPage(query, 100);
      for (const limit of [1, 2, 3]) expect(await everyPage(query, limit)).toEqual(whole);
    }
    const { nextCursor } = (await gateway.get(`${CHANGES}?since=2026-11-20&limit=1`)).body._meta.pagination;
    const { body } = await gateway.get(`${CHANGES}?q=pain&cursor=${nextCursor}`);
    expect(body.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'cursor' });
  });

  it('goes on to where its first page ended while a new version is published between two pages', async () => {
    const dir = join(root.path, 'served-later');
    await cp(root.snapshots, dir, { recursive: true });
    await writeFile(join(dir, CURRENT_FILE), `${root.versions[2]}\n`);
    await using served = await openGateway(dir);
    const first = (await served.get(`${CHANGES}?since=2026-11-20&limit=2`)).body;
    expect(short(first.data.trials)).toEqual(ALL.slice(0, 2));
    await writeFile(join(dir, CURRENT_FILE), `${root.versions[3]}\n`);
    await until(async () => (await served.get('/api/v1/snapshots')).body._meta.snapshot === root.versions[3]);
    const { data } = (await served.get(`${CHANGES}?limit=9&cursor=${first._meta.pagination.nextCursor}`)).body;
    expect(short(data.trials)).toEqual(ALL.slice(2, 4));
    expect(data.between).toMatchObject({ from: root.versions[0], to: root.versions[2] });
    expect(short((await served.get(`${CHANGES}?since=${data.between.to}`)).body.data.trials)).toEqual([ALL[4]]);
    await rm(dir, { recursive: true });
  });
});

describe('the history of a trial', () => {
  const read = async (id: string, query = '') => (await gateway.get(`/api/v1/trials/${id}/history${query}`)).body;

  it.each([ONE, TWO, 'NCT00000001', 'isrctn00000001'])('is found by %s, with what merged into it', async (id) => {
    const { data, _meta } = await read(id);
    expect(data).toMatchObject({
      ...{ id, canonicalId: ONE, title: 'Metformin for type 2 diabetes', state: 'held', formerIds: [TWO] },
      firstSeen: { version: root.versions[0], at: expect.any(String), orEarlier: false, before: null },
      removedIn: null,
      kept: { from: root.versions[0], to: root.versions[3], versions: 3 },
    });
    expect(short(data.entries)).toEqual([ALL[0], ALL[2], ALL[3]]);
    expect(_meta.pagination).toMatchObject({ totalItems: 3, returned: 3, hasMore: false });
  });

  it.each([GONE, 'NCT00000007'])('of a trial that was removed is found by %s', async (id) => {
    const { data } = await read(id);
    expect(data).toMatchObject({
      canonicalId: GONE,
      title: 'Rest for pain',
      state: 'removed',
      removedIn: root.versions[2],
    });
    expect(short(data.entries)).toEqual([ALL[1]]);
  });

  it.each([GONE, 'NCT00000007'])('is what the refusal of the removed trial %s leads to', async (id) => {
    const reads = ['', '/related', '/compare', '/proof', '/sites'].map((read) => `/api/v1/trials/${id}${read}`);
    for (const path of [...reads, `/api/v1/trials/registrations?id=${id}`]) {
      const { body } = await gateway.get(path);
      expect(body.error).toMatchObject({
        code: 'TRIAL_NOT_FOUND',
        hint: expect.stringContaining(`GET /api/v1/trials/${id}/history tells when it was removed`),
      });
    }
    expect((await gateway.get('/api/v1/trials/NCT99999977')).body.error.hint).not.toContain('history');
    const page = await gateway.app.fetch(new Request(`http://test.example/trials/${id}`));
    expect([page.status, await page.text()]).toEqual([
      404,
      expect.stringContaining(`<a href="/api/v1/trials/${id}/history">History of this trial</a>`),
    ]);
  });
});
