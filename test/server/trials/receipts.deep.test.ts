import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFilters, type TrialFilters } from '../../../index-server/search/filters.ts';
import { readTrial } from '../../../index-server/search/hints/held-trial.ts';
import { matchingRows } from '../../../index-server/search/matching.ts';
import { rowsOf } from '../../../index-server/search/row-set.ts';
import { openSnapshotImage, type SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { gc } from '../../../pipeline/publish/retention/gc.ts';
import { withCheck, writeReceipt } from '../../../snapshot/format/receipt.ts';
import { quietEffects } from '../../builders/working-database.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';
import { twoVersions } from '../../support/two-versions.ts';

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));
let images: Record<'older' | 'newer', SnapshotImage>;
beforeAll(() => {
  const open = (version: string) => openSnapshotImage(join(versions.snapshotsDir, version));
  images = { older: open(versions.older), newer: open(versions.newer) };
});
afterAll(() => {
  for (const image of Object.values(images)) image.release();
});

it('a share of trials without results has none, and the searches that its queries name have that count with one', async () => {
  const { body } = await gateway.get('/api/v1/trials/results-gap');
  expect(body._meta).not.toHaveProperty('receipt');
  const { numerator, denominator, queries } = body.data;
  expect(numerator).toBeGreaterThan(0);
  for (const [count, query] of [
    [numerator, queries.numerator],
    [denominator, queries.denominator],
  ]) {
    const search = await gateway.get(`/api/v1/trials/search?${new URLSearchParams(query)}`);
    expect(search.body._meta.receipt.split('.')[3]).toBe(String(count));
  }
});

const uncheckedOf = (receipt: string) => receipt.slice(0, receipt.lastIndexOf('.'));
const check = (receipt: string) => gateway.get(`/api/v1/receipts/${receipt}`);

/** The reference: the last twelve characters of each id as a number of base 36, summed modulo 36^12, in no cleverer way. */
function plainSum(ids: readonly string[]): string {
  const digit = (character: string) => BigInt('0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(character));
  const number = (id: string) => [...id.slice(-12)].reduce((sum, character) => sum * 36n + digit(character), 0n);
  const sum = ids.reduce((total, id) => total + number(id), 0n) % 36n ** 12n;
  return sum.toString(36).padStart(12, '0');
}

function plainIds(image: SnapshotImage, filters: TrialFilters): string[] {
  return [...rowsOf(matchingRows(image, compileFilters(filters)))]
    .map((row) => readTrial(image, row).canonicalId)
    .sort();
}

async function identityOf(version: string): Promise<string> {
  return (await gateway.get(`/api/v1/snapshots/${version}`)).body.data.identity;
}

/** The receipt that a coverage on the older version carried. */
async function olderReceipt(filters: TrialFilters, query: [string, string][]): Promise<string> {
  const ids = plainIds(images.older, filters);
  const identity = await identityOf(versions.older);
  const { older: version } = versions;
  return writeReceipt({ word: 'coverage', version, identity, count: ids.length, sum: plainSum(ids), query })!;
}

const ANSWERS = [
  [
    'search',
    '/api/v1/trials/search?q=Diabetes&status=completed,active&pageSize=1&page=2&sort=start',
    'q=diabetes\nstatus=active,completed',
  ],
  ['coverage', '/api/v1/trials/coverage', ''],
  ['coverage', '/api/v1/trials/coverage?country=uk&phaseMatch=combined&match=words', 'country=United Kingdom'],
  ['landscape', '/api/v1/trials/landscape?q=pain&match=concepts', 'match=concepts\nq=pain'],
  [
    'trend',
    '/api/v1/trials/trend?topic=type-1-diabetes&by=quarter&split=phase',
    'by=quarter\nsplit=phase\ntopic=type-1-diabetes',
  ],
] as const;

describe('the receipt of an answer', () => {
  it.each(ANSWERS)('%s of %s names the normalised query, and is reproduced', async (word, path, query) => {
    const { body } = await gateway.get(path);
    const { receipt } = body._meta;
    expect(receipt.length).toBeLessThanOrEqual(160);
    const identity = await identityOf(versions.newer);
    const [, named, snapshot, count, sum, text] = receipt.split('.');
    expect([named, snapshot]).toEqual([word, `${versions.newer}${identity.slice(8, 16)}`]);
    expect(Buffer.from(text.slice(1), 'base64url').toString()).toBe(query);
    const found = (await check(receipt)).body;
    expect(found.data).toMatchObject({
      claim: { count: Number(count), sum, snapshot: versions.newer },
      onItsSnapshot: { state: 'reproduced', count: Number(count), sum, identity, why: null },
      onCurrent: { state: 'reproduced', count: Number(count), sum },
      between: { came: { total: 0, ids: [] }, went: { total: 0, ids: [] } },
    });
    expect(found._meta.filters).toEqual({});
  });

  it('has the sum of the ids that the pages of the search have', async () => {
    const { data, _meta } = (await gateway.get('/api/v1/trials/search?q=diabetes&pageSize=100')).body;
    const ids = data.trials.map(({ canonicalId }: { canonicalId: string }) => canonicalId);
    expect(_meta.pagination.hasMore).toBe(false);
    const [, , , count, sum] = _meta.receipt.split('.');
    expect([count, sum]).toEqual([String(ids.length), plainSum(ids)]);
  });

  it.each([
    ['case', ['q=Asthma', 'q=ASTHMA', 'q=%20asthma%20']],
    ['white space and quotation marks', ['q=%22type+1%22+diabetes', 'q=%E2%80%9CType++1%E2%80%9D%20%20Diabetes']],
    ['order and repeats of a list', ['phase=2,3&status=completed', 'status=COMPLETED&phase=3,2,2,PHASE3']],
    [
      'names of a country and accents of a place',
      ['country=gb&sitePlace=G%C3%B6teborg', 'country=United%20Kingdom&sitePlace=goteborg'],
    ],
    [
      'defaults',
      ['q=pain&sex=female', 'q=pain&sex=female&sexMatch=eligible&phaseMatch=combined&match=words&gapMonths=18'],
    ],
    [
      'what reads nothing',
      ['q=pain', 'q=pain&phaseMatch=exact&sponsorMatch=exact&conditionMatch=exact&sexMatch=exact&gapClock=completion'],
    ],
  ])('is the same for each spelling of one query: %s', async (_what, queries) => {
    const answers = await Promise.all(
      queries.map(async (query) => (await gateway.get(`/api/v1/trials/coverage?${query}`)).body),
    );
    const [first] = answers.map(({ _meta }) => _meta.receipt);
    expect(answers.map(({ _meta }) => _meta.receipt)).toEqual(queries.map(() => first));
    expect((await check(first)).body.data.onCurrent.state).toBe('reproduced');
  });

  it.each([
    ['an operator by concepts', ['q=asthma+OR+pain&match=concepts', 'q=asthma+or+pain&match=concepts']],
    ['how sex is read', ['sex=female', 'sex=female&sexMatch=exact']],
  ])('differs where the query does: %s', async (_what, queries) => {
    const receipts = await Promise.all(
      queries.map(async (query) => (await gateway.get(`/api/v1/trials/coverage?${query}`)).body._meta.receipt),
    );
    expect(new Set(receipts).size).toBe(2);
  });

  it('of a long query is packed, and of one that is too long is left out, which a notice says', async () => {
    const long = (await gateway.get(`/api/v1/trials/coverage?q=${'pain '.repeat(90)}`)).body._meta;
    expect(long.receipt.split('.')[5][0]).toBe('d');
    expect((await check(long.receipt)).body.data.onItsSnapshot.state).toBe('reproduced');
    const noise = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
      '',
    );
    const none = (await gateway.get(`/api/v1/trials/coverage?q=${encodeURIComponent(noise)}`)).body._meta;
    expect(none.receipt).toBeUndefined();
    expect(none.notices.join()).toContain('carries no receipt, because its query is too long');
  });

  it('of a filter by modality names the vocabulary, and is not run where labels are inferred by another', async () => {
    const { receipt } = (await gateway.get('/api/v1/trials/coverage?modality=vaccine')).body._meta;
    expect((await check(receipt)).body.data).toMatchObject({
      claim: { query: { modality: 'vaccine', modalityVocabulary: 'modality-7+substances-6' } },
      onItsSnapshot: { state: 'reproduced' },
    });
    const other = withCheck(
      uncheckedOf(receipt).replace(
        /[^.]*$/,
        `t${Buffer.from('modality=vaccine\nmodalityVocabulary=modality-1').toString('base64url')}`,
      ),
    );
    const { status, body } = await check(other);
    expect([status, body.data.onItsSnapshot.state, body.data.onCurrent.state]).toEqual([200, 'not-run', 'not-run']);
    expect(body.data.onCurrent.why).toContain('modality-1');
  });
});

const FILTERS = fc.record(
  {
    q: fc.constantFrom('diabetes', 'pain', 'trial', 'children', '"type 2"', 'cancer'),
    status: fc.subarray(['completed', 'active', 'terminated', 'withdrawn'], { minLength: 1 }),
    phase: fc.subarray(['1', '2', '3', '4'], { minLength: 1 }),
    resultsAvailable: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe('a receipt of an earlier snapshot', () => {
  it('is reproduced there, and the ids that came and went are the difference of both sets', async () => {
    const both = { came: 0, went: 0 };
    await fc.assert(
      fc.asyncProperty(FILTERS, async (given) => {
        const filters = { ...given } as TrialFilters;
        const query = Object.entries(given).map(([name, value]): [string, string] => [
          name,
          Array.isArray(value) ? [...value].sort().join(',') : String(value),
        ]);
        const { data } = (await check(await olderReceipt(filters, query))).body;
        const [before, after] = [plainIds(images.older, filters), plainIds(images.newer, filters)];
        const came = after.filter((id) => !before.includes(id));
        const went = before.filter((id) => !after.includes(id));
        both.came += came.length;
        both.went += went.length;
        expect(data.onItsSnapshot).toMatchObject({
          state: 'reproduced',
          count: before.length,
          version: versions.older,
        });
        expect(data.onCurrent).toMatchObject({ count: after.length, sum: plainSum(after), version: versions.newer });
        expect(data.onCurrent.state === 'reproduced').toBe(came.length + went.length === 0);
        expect(data.between).toEqual({
          came: { total: came.length, ids: came.slice(0, 100) },
          went: { total: went.length, ids: went.slice(0, 100) },
        });
      }),
      { seed: 22, numRuns: 60 },
    );
    // Without any of either the property would hold of two equal snapshots.
    expect(Math.min(both.came, both.went)).toBeGreaterThan(0);
  });

  it('says what changed where the current snapshot differs', async () => {
    const { data } = (await check(await olderReceipt({}, []))).body;
    expect([data.onItsSnapshot.why, data.onCurrent.state]).toEqual([null, 'differs']);
    expect(data.onCurrent.why).toContain(`it says ${data.claim.count} trials, and ${data.onCurrent.count} are found`);
    expect(data.onCurrent.why).toContain(`${data.between.came.total} ids came and ${data.between.went.total} went`);
    expect(data.onCurrent.why).toContain('registry data: other records, as of 2026-10-01 then, 2026-10-02 now');
    expect(data.onCurrent.why).toContain('rules and terminology: the same');
  });

  it('with another count or sum differs', async () => {
    const receipt = await olderReceipt({ q: 'pain' }, [['q', 'pain']]);
    const [form, word, snapshot, count, sum, query] = receipt.split('.') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    for (const changed of [
      [form, word, snapshot, String(Number(count) + 1), sum, query],
      [form, word, snapshot, count, `${sum.slice(0, -1)}${sum.endsWith('0') ? '1' : '0'}`, query],
    ]) {
      expect((await check(withCheck(changed.join('.')))).body.data.onItsSnapshot.state).toBe('differs');
    }
  });

  it('with another identity is of no snapshot that is known here', async () => {
    const receipt = await olderReceipt({ q: 'pain' }, [['q', 'pain']]);
    const other = withCheck(uncheckedOf(receipt).replace(/(Z-[0-9a-f]{8})[0-9a-f]{8}/, '$100000000'));
    expect((await check(other)).body.data).toMatchObject({
      onItsSnapshot: { state: 'unknown', kept: null, count: null },
      onCurrent: { version: versions.newer },
      between: null,
    });
  });
});

const packed = (text: string, form: 't' | 'd' = 't') =>
  `${form}${(form === 'd' ? deflateRawSync(text) : Buffer.from(text)).toString('base64url')}`;
const invented = (query: string, word = 'coverage') =>
  withCheck(`r1.${word}.20261001T000000Z-00000000.1.000000000000.${query}`);

describe('a damaged or invented receipt', () => {
  it.each([
    ['another operation', invented('t', 'stats'), 'r1.operation'],
    ['a version that is a path', withCheck('r1.coverage.20261001T000000Z-..%2F..%2F.1.000000000000.t'), 'damaged'],
    ['too long', invented(`t${'A'.repeat(1000)}`), 'at most 1000 characters'],
    ['a check of something else', `${invented('t').slice(0, -4)}0000`, 'last four characters do not fit'],
    ['packed text with bytes after its end', invented(`${packed('q=asthma', 'd')}AAAA`), 'damaged'],
    ['text that unpacks to megabytes', invented(packed('a'.repeat(500_000), 'd')), 'at most 2000 bytes'],
    [
      'a sentence for a vocabulary',
      invented(packed('modality=vaccine\nmodalityVocabulary=one that this service vouches for')),
      'is the id of a vocabulary',
    ],
    ['an unknown parameter', invented(packed('depth=1')), 'no parameter but q, match'],
    ['parameters out of order', invented(packed('status=active\nq=b')), 'in the order of their names'],
    [
      'a value that the search refuses',
      invented(packed('status=finished')),
      'its parameter status expects one or more of',
    ],
    ['a results gap of something else', invented(packed('q=pain'), 'gap'), 'no parameter but resultsGap, topic, match'],
    ['modality without its vocabulary', invented(packed('modality=vaccine')), 'modalityVocabulary'],
  ])('with %s is refused, and told why', async (_what, receipt, expected) => {
    const { status, body } = await check(receipt);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', 'receipt']);
    expect(body.error.expected.toLowerCase()).toContain(expected.toLowerCase());
  });

  it('cut at any place is refused, and never read as one of another query', async () => {
    const { receipt } = (await gateway.get('/api/v1/trials/coverage?q=pain&status=completed')).body._meta;
    for (let end = 1; end < receipt.length; end++) {
      const { status, body } = await check(receipt.slice(0, end));
      expect([end, status, body.error.code]).toEqual([end, 400, 'INVALID_PARAM']);
    }
  });
});

describe('a receipt of a snapshot that gc removed', () => {
  it('says so, with what is kept of it, and still runs on the current one', async () => {
    const receipt = await olderReceipt({ q: 'pain' }, [['q', 'pain']]);
    const identity = await identityOf(versions.older);
    const { logIndex } = (await check(receipt)).body.data.onItsSnapshot.kept;
    const effects = quietEffects({ now: () => new Date('2026-12-01T03:15:00.000Z') });
    await gc(versions.snapshotsDir, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, effects);
    const { data } = (await check(receipt)).body;
    expect(data.onItsSnapshot).toMatchObject({
      state: 'gone',
      identity,
      count: null,
      kept: { removedAt: '2026-12-01T03:15:00.000Z', trials: 766, asOf: '2026-10-01', logIndex },
    });
    expect(data.onCurrent.count).toBe(plainIds(images.newer, { q: 'pain' }).length);
    expect(data.between).toBeNull();
  });
});
