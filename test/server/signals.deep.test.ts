import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { CURSOR_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import { SIGNAL_FILES } from '../../snapshot/format/signals.ts';
import { registration } from '../builders/registration.ts';
import { feed, publishSignals, type SignalSnapshot, type SignalSnapshotContent } from '../builders/signal-snapshot.ts';
import { signalRow } from '../builders/signals.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { amountOf } from '../support/runner/amount.ts';

const ROWS = [
  signalRow('a1', '2026-10-01', { title: 'Islets funded', capital: 'M', capital_terms: ['funded'] }),
  signalRow('a2', '2026-09-30', { title: 'Islet trial begins', capital: 'I', lexicon_class: 'research' }),
  signalRow('a3', '2026-09-30', { title: 'Tumour day', capital: 'I', category: 'journal', domain: 'journal.example' }),
  signalRow('a4', '2026-09-10', { title: 'Nothing matched' }),
  signalRow('a5', '2026-10-02', { title: 'After the snapshot', capital: 'D' }),
];

const published = new Map<string, Promise<SignalSnapshot>>();
afterAll(async () => {
  for (const snapshot of published.values()) (await snapshot)[Symbol.dispose]();
});

/** Serves a snapshot with this content, which is made once. `before` changes a copy of it. */
async function served<Result>(
  content: SignalSnapshotContent,
  use: (gateway: TestGateway) => Promise<Result>,
  before?: (path: (file: string) => string) => void,
): Promise<Result> {
  const key = JSON.stringify(content);
  if (!published.has(key)) published.set(key, publishSignals(content));
  const whole = await published.get(key)!;
  using copy = before === undefined ? null : copyOf(whole);
  if (copy !== null) before?.(copy.path);
  await using gateway = await openGateway((copy ?? whole).snapshotsDir);
  return await use(gateway);
}

function copyOf(whole: SignalSnapshot): SignalSnapshot {
  const snapshotsDir = mkdtempSync(join(tmpdir(), 'signal-snapshot-copy-'));
  cpSync(whole.snapshotsDir, snapshotsDir, { recursive: true });
  return {
    snapshotsDir,
    path: (file) => join(snapshotsDir, relative(whole.snapshotsDir, whole.path(file))),
    [Symbol.dispose]: () => rmSync(snapshotsDir, { recursive: true, force: true }),
  };
}

const codeOf = async (gateway: TestGateway, path: string): Promise<unknown> => {
  const { status, body } = await gateway.get(path);
  return status === 200 ? 200 : [status, body.error.code];
};

describe('mind and trends', () => {
  it('count the window that ends with the snapshot, and leave out what no term matched from the shares', () =>
    served({ rows: ROWS }, async (gateway) => {
      const { body } = await gateway.get('/api/v1/mind?days=4');
      expect(body.data).toMatchObject({
        window: { days: 4, from: '2026-09-28', to: '2026-10-01' },
        items: { held: 5, inWindow: 3, classified: 3, unclassified: 0 },
        capitals: [
          { capital: 'M', count: 1, share: 0.3333, topItems: [{ id: 'a1', capitalTerms: ['funded'] }] },
          { capital: 'I', count: 2, share: 0.6667, topItems: [{ id: 'a2' }, { id: 'a3' }] },
          { capital: 'N', count: 0, share: 0, direction: { reading: 'undetermined' }, topItems: [] },
          { capital: 'D', count: 0 },
        ],
        conscienceIndex: { value: null, classifiedItems: 3, minimumItems: 10 },
        curePulse: { value: 0.3333, items: 1, of: 3 },
      });
      expect(body.data.capitals[1].direction).toEqual({
        reading: 'rising',
        recent: { from: '2026-09-30', to: '2026-10-01', items: 2 },
        before: { from: '2026-09-28', to: '2026-09-29', items: 0 },
        change: null,
      });
      expect(body._meta).toMatchObject({ degraded: false, filters: { days: 4 }, freshness: [{ feed: 'sample-news' }] });
    }));

  it('say that they are degraded as soon as one feed is stale or has not answered, and give its items as unknown', () =>
    served(
      {
        rows: ROWS,
        feeds: [feed('sample-news'), feed('dead', { state: 'unanswered', items: null, lastSuccessAt: null })],
      },
      async (gateway) => {
        const { body } = await gateway.get('/api/v1/trends');
        expect(body._meta.degraded).toBe(true);
        expect(body._meta.freshness[1]).toMatchObject({ feed: 'dead', items: null, ageHours: null, stale: true });
      },
    ));

  it('are a missing dependency where no feed ever answered, never a window of zeros', () =>
    served({ feeds: [feed('dead', { state: 'unanswered', items: null, lastSuccessAt: null })] }, async (gateway) => {
      expect(await codeOf(gateway, '/api/v1/mind')).toEqual([503, 'MIND_DEPENDENCY_UNAVAILABLE']);
      expect(await codeOf(gateway, '/api/v1/trends')).toEqual([503, 'TRENDS_DEPENDENCY_UNAVAILABLE']);
      expect(await codeOf(gateway, '/api/v1/trends?include=crypto')).toBe(200);
    }));

  it.each(['signals.parquet', ...SIGNAL_FILES.map((name) => `serving/${name}`)])(
    'refuse a snapshot whose %s is not the one of the manifest, or is gone, while the rest is served',
    async (file) => {
      const flipLast = (path: (file: string) => string): void => {
        const bytes = readFileSync(path(file));
        bytes[Math.floor(bytes.length / 2)]! ^= 1;
        writeFileSync(path(file), bytes);
      };
      await served({ rows: ROWS }, expectFailed('INTEGRITY_UNVERIFIED'), flipLast);
      await served({ rows: ROWS }, expectFailed('DEPENDENCY_UNAVAILABLE'), (path) => rmSync(path(file)));
    },
  );
});

function expectFailed(kind: string) {
  return async (gateway: TestGateway): Promise<void> => {
    expect(await codeOf(gateway, '/api/v1/mind')).toEqual([503, `MIND_${kind}`]);
    expect(await codeOf(gateway, '/api/v1/trends')).toEqual([503, `TRENDS_${kind}`]);
    expect(await codeOf(gateway, '/api/v1/hope')).toBe(200);
    const { status, body } = await gateway.get('/api/v1/batch?days=7');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      mind: { status: 503, error: { code: `MIND_${kind}`, retryable: true } },
      hope: { status: 200, data: { world: { distinct: 0 } } },
      trends: { status: 503, error: { code: `TRENDS_${kind}` } },
    });
    expect(body.data.mind.data).toBeUndefined();
  };
}

describe('batch', () => {
  it('gives each signal what it gives alone, under the same correlation id', () =>
    served({ rows: ROWS }, async (gateway) => {
      const query = 'days=7&disease=islet&series=false';
      const { body } = await gateway.get(`/api/v1/batch?${query}&colour=red`, {
        headers: { 'x-correlation-id': 'batch-of-one' },
      });
      const alone = (signal: string) => gateway.get(`/api/v1/${signal}?${query}`);
      for (const signal of ['mind', 'hope', 'trends']) {
        expect(body.data[signal].data).toEqual((await alone(signal)).body.data);
        expect(body.data[signal]._meta).toMatchObject({ correlationId: 'batch-of-one', snapshot: expect.any(String) });
      }
      expect(body._meta.ignored).toEqual(['colour']);
      expect(Object.keys((await gateway.get('/api/v1/batch?include=trends')).body.data)).toEqual(['trends']);
    }));
});

describe('hope', () => {
  const trial = fc.record({
    held: fc.constantFrom('ctgov', 'isrctn', 'both'),
    ctgov: fc.constantFrom('running', 'completed', 'unknown'),
    isrctn: fc.constantFrom('running', 'completed', 'unknown'),
    conditions: fc.subarray(['Obesity', 'Heart failure', 'Asthma']),
  });

  it('takes the census from ClinicalTrials.gov alone and never adds it to the distinct count', async () => {
    const check = fc.asyncProperty(fc.array(trial, { minLength: 1, maxLength: 12 }), async (trials) => {
      const corpus = trials.map(({ held, ctgov, isrctn, conditions }, n) => ({
        canonicalId: `wt_${String(n).padStart(12, '0')}`,
        aliases: [],
        registrations: [
          registration(`NCT${String(n).padStart(8, '0')}`, { status: ctgov, conditions }),
          registration(`ISRCTN${String(n).padStart(8, '0')}`, { status: isrctn, conditions }),
        ].slice(held === 'isrctn' ? 1 : 0, held === 'ctgov' ? 1 : 2),
      }));
      const running = trials.filter(({ held, ctgov }) => held !== 'isrctn' && ctgov === 'running');
      const { body } = await served({ trials: corpus }, (gateway) => gateway.get('/api/v1/hope?disease=obesity'));
      const { data } = body;
      expect(data.trials.census.activeTrials).toBe(running.length);
      expect(data.trials.census.runningUsTrials).toBe(running.length);
      expect([data.world.distinct, data.world.distinctTrials]).toEqual([trials.length, trials.length]);
      expect(data.world.runningTrials).toBe(data.world.running);
      const obese = <T extends { conditions: string[] }>(all: T[]): T[] =>
        all.filter(({ conditions }) => conditions.includes('Obesity'));
      const [inCensus, distinct] = [obese(running).length, obese(trials).length];
      const counts = {
        activeTrials: inCensus,
        runningUsTrials: inCensus,
        worldDistinct: distinct,
        distinctTrials: distinct,
      };
      expect(data.trials.diseases).toEqual([{ id: 'obesity', title: 'Obesity', ...counts }]);
      expect(data.trials.keyword).toEqual({ disease: 'obesity', ...counts });
      // Any sum of the two counts would be larger than the number of trials.
      for (const number of numbersIn([data.trials, data.world])) expect(number).toBeLessThanOrEqual(trials.length);
    });
    await fc.assert(check, { numRuns: amountOf({ quick: 1, deep: 8 }), seed: 20_261_122 });
  });

  it('gives null, never 0, for what a registry that has not answered would have to tell', () =>
    served({ unanswered: ['clinicaltrials_gov'] }, async (gateway) => {
      const { body } = await gateway.get('/api/v1/hope');
      expect(body.data.trials.census.activeTrials).toBeNull();
      expect(body.data.trials.diseases.map(({ activeTrials }: { activeTrials: unknown }) => activeTrials)).toEqual(
        Array(15).fill(null),
      );
      expect(body.data.world).toMatchObject({
        distinct: 0,
        registries: [{ state: 'unanswered' }, { state: 'answered' }],
      });
      expect(body.data.stats).toMatchObject({ crossRegistryTrials: null, byRegistry: [{ registrations: null }, {}] });
    }));

  it('leads through all research items by cursor, each once, whatever offset is sent along', () =>
    served({}, async (gateway) => {
      const whole = (await gateway.get('/api/v1/hope?include=research&limit=50')).body;
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const from: string = cursor === null ? '' : `&cursor=${cursor}&offset=9`;
        const { body } = await gateway.get(`/api/v1/hope?include=research&limit=4${from}`);
        seen.push(...body.data.research.items.map(({ id }: { id: string }) => id));
        if (cursor !== null) expect(body._meta.ignored).toEqual(['offset']);
        cursor = body._meta.pagination.nextCursor;
        expect(cursor?.length ?? 0).toBeLessThanOrEqual(CURSOR_MAX_CHARACTERS);
      } while (cursor !== null);
      expect(seen).toEqual(whole.data.research.items.map(({ id }: { id: string }) => id));
      expect(seen.length).toBe(whole.data.research.total);
    }));

  it('refuses a cursor of another keyword and one that was never given', () =>
    served({}, async (gateway) => {
      const { body } = await gateway.get('/api/v1/hope?include=research&limit=1');
      const cursor = body._meta.pagination.nextCursor;
      expect(await codeOf(gateway, `/api/v1/hope?limit=1&cursor=${cursor}`)).toBe(200);
      for (const wrong of [`${cursor}&disease=diabetes`, 'abc', `${cursor}A`]) {
        expect(await codeOf(gateway, `/api/v1/hope?cursor=${wrong}`)).toEqual([400, 'INVALID_PARAM']);
      }
    }));
});

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
