import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takesView } from '../../contract/interfaces/view.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { takeView, type View } from './asked-view.ts';
import { withinCeiling } from './ceiling.ts';
import { isObject } from './json.ts';
import { picked } from './picked.ts';
import { readableText } from './readable-text.ts';
import { pagesOf, shortMeta } from './short-meta.ts';
import { viewed } from './viewed.ts';

const CONCISE: View = { detail: 'concise', fields: null };
const operationOf = (id: string) => OPERATIONS.find((operation) => operation.id === id)!;

const TRIAL = {
  canonicalId: 'wt_1',
  aliases: [],
  title: 'Insulin A against insulin B',
  officialTitle: 'A randomised trial of insulin A against insulin B',
  status: 'running',
  recruitmentStatus: 'recruiting',
  phase: '3',
  sponsor: { name: 'A University', class: 'other' },
  enrollment: { count: 60, type: 'estimated', note: null },
  conditions: ['Diabetes Mellitus, Type 1'],
  interventions: [{ type: 'drug', name: 'insulin A', otherNames: [], description: null }],
  dates: { start: { date: '2023-06-21', precision: 'day', type: 'actual' }, completion: null },
  resultsAvailable: false,
  registrations: [
    { registry: 'clinicaltrials_gov', id: 'NCT00000001', url: 'https://example.org', checksum: 'sha256:00' },
  ],
  conflicts: [],
};
const META = {
  api: 'trial-board',
  version: '1',
  schemaVersion: '1',
  correlationId: 'correlation-1',
  generatedAt: '2026-01-01T00:00:00.000Z',
  snapshot: '20260101T000000Z-00000000',
  signed: false,
  identity: null,
  degraded: false,
  filters: { q: 'insulin' },
  provenance: { corpus: 'registries', asOf: '2026-01-01', worldwide: true, registries: [], dedupMethod: 'rules' },
  freshness: [{ registry: 'isrctn', state: 'answered', degraded: false }],
  honesty: ['Per-registry totals must not be added; the distinct count comes from /api/v1/trials/coverage.'],
  pagination: {
    page: 1,
    pageSize: 20,
    totalItems: 41,
    returned: 1,
    hasMore: true,
    nextUrl: 'http://x/?q=insulin&page=2',
  },
  links: { self: 'http://x/?q=insulin&page=1' },
};

describe('a concise page of trials', () => {
  const shown = viewed(operationOf('trials-search'), { data: { trials: [TRIAL] }, _meta: META }, CONCISE);

  it('has one line a trial, what the counts stand on, and how to go on', () => {
    expect(shown).toEqual({
      data: {
        trials: [
          {
            canonicalId: 'wt_1',
            ids: ['NCT00000001'],
            title: 'Insulin A against insulin B',
            phase: '3',
            status: 'running',
            recruitmentStatus: 'recruiting',
            start: '2023-06-21',
            enrollment: 60,
            sponsor: 'A University',
            conditions: ['Diabetes Mellitus, Type 1'],
            interventions: ['insulin A'],
          },
        ],
      },
      _meta: {
        snapshot: '20260101T000000Z-00000000',
        asOf: '2026-01-01',
        worldwide: true,
        degraded: false,
        pagination: { page: 1, totalItems: 41, returned: 1, next: { page: 2 } },
        more: 'detail=full, fields=officialTitle,sponsor,enrollment',
      },
    });
  });

  it('reads as text with the ids, the count, the next call and the snapshot', () => {
    expect(readableText(operationOf('trials-search'), shown)).toBe(
      [
        'wt_1 NCT00000001 | Insulin A against insulin B | phase 3 | running, recruiting | start 2023-06-21 | n=60 | A University | Diabetes Mellitus, Type 1 | insulin A',
        'Shown: 1 of 41, page 1. Next: the same call with page=2.',
        'Snapshot 20260101T000000Z-00000000, as of 2026-01-01, worldwide.',
        'More: detail=full, fields=officialTitle,sponsor,enrollment',
      ].join('\n'),
    );
  });
});

describe('concise `_meta`', () => {
  it('keeps what changes the meaning: a registry in trouble, notices, what was ignored or read otherwise, the receipt', () => {
    const meta = {
      ...META,
      degraded: true,
      provenance: { ...META.provenance, worldwide: false, unanswered: ['isrctn'] },
      freshness: [{ registry: 'isrctn', state: 'unanswered', degraded: true, degradedReason: 'no answer in 30 s' }],
      filters: { q: 'insulin', country: 'United Kingdom' },
      notices: ['phase asks for phase: 6 of 11 state it.'],
      ignored: ['phas'],
      receipt: 'r1.abc',
      honesty: [...META.honesty, 'Modality is inferred.'],
      alsoMatching: {
        distinct: 1,
        total: 3,
        because: [{ words: 't1d', concept: 'D003922', heading: 'Diabetes Mellitus, Type 1' }],
        call: '/api/v1/trials/search?q=t1d&match=concepts',
      },
    };
    expect(shortMeta(meta, { q: 'insulin', country: 'England' })).toEqual({
      snapshot: '20260101T000000Z-00000000',
      asOf: '2026-01-01',
      worldwide: false,
      degraded: true,
      unanswered: ['isrctn'],
      troubled: ['isrctn: unanswered, no answer in 30 s'],
      readAs: { country: 'United Kingdom' },
      pagination: { page: 1, totalItems: 41, returned: 1, next: { page: 2 } },
      alsoMatching: {
        distinct: 1,
        total: 3,
        because: ['t1d = Diabetes Mellitus, Type 1'],
        with: { match: 'concepts' },
      },
      notices: ['phase asks for phase: 6 of 11 state it.'],
      honesty: ['Modality is inferred.'],
      ignored: ['phas'],
      receipt: 'r1.abc',
    });
  });

  it('leads on by a cursor, a page or an offset, and not at all on the last page', () => {
    expect(pagesOf({ limit: 2, offset: 0, returned: 2, total: 5, hasMore: true, nextCursor: 'abc' })).toEqual({
      total: 5,
      returned: 2,
      next: { cursor: 'abc' },
    });
    expect(pagesOf({ limit: 2, offset: 2, returned: 2, total: 5, hasMore: true })).toMatchObject({
      next: { offset: 4 },
    });
    expect(pagesOf({ page: 3, totalItems: 5, returned: 1, hasMore: false })).toEqual({
      page: 3,
      totalItems: 5,
      returned: 1,
    });
  });
});

it('A registry that did not answer stays unknown: its nulls are neither dropped nor zero', () => {
  const registries = [
    { registry: 'clinicaltrials_gov', state: 'answered', registrations: 5, exclusive: 5 },
    { registry: 'isrctn', state: 'unanswered', registrations: null, exclusive: null },
  ];
  const coverage = {
    data: { distinct: 5, registries, inBoth: null, inflation: null },
    _meta: { ...META, degraded: true },
  };
  const shown = viewed(operationOf('trials-coverage'), coverage, CONCISE);
  expect(shown.data).toEqual(coverage.data);
  const text = readableText(operationOf('trials-coverage'), shown);
  expect(text).toContain('registry isrctn | state unanswered | registrations unknown | exclusive unknown');
  expect(text).toContain('inBoth: unknown');
  expect(text).toContain('DEGRADED');
  const landscape = viewed(
    operationOf('trials-landscape'),
    {
      data: {
        phases: [
          { value: '3', trials: 1 },
          { value: '4', trials: 0 },
        ],
        reportingGap: registries,
      },
      _meta: META,
    },
    CONCISE,
  );
  expect(landscape.data).toMatchObject({ phases: [{ value: '3', trials: 1 }], reportingGap: registries });
});

describe('the acknowledgement of a write', () => {
  const claim = {
    id: 'clm_1',
    state: 'active',
    scope: 'a slice',
    intent: 'count what there is',
    agentName: 'ada',
    agentContact: null,
    claimHash: 'abc',
    leaseHours: 24,
    leaseExpiresAt: '2026-01-02T00:00:00.000Z',
    renewals: 0,
    renewalsLeft: 3,
    releaseToken: 'x'.repeat(43),
    otherLiveClaims: { count: 0, more: false, ids: [] },
  };

  it('has the id, the state, the one-time token and how long it holds, and nothing that the caller sent', () => {
    const shown = viewed(operationOf('claims-create'), { data: claim, _meta: { idempotencyReplayed: true } }, CONCISE);
    expect(shown).toEqual({
      data: {
        id: 'clm_1',
        state: 'active',
        leaseExpiresAt: '2026-01-02T00:00:00.000Z',
        renewalsLeft: 3,
        releaseToken: 'x'.repeat(43),
      },
      _meta: { idempotencyReplayed: true },
    });
  });

  it('keeps every one-time secret where it stands, and what is withheld', () => {
    const withheld = { fields: ['withdrawToken'], why: 'shown once' };
    const rung = { accepted: true, says: 'It passed.', finding: { id: 'fnd_1', claim: 'c', withdrawToken: 'secret' } };
    expect(viewed(operationOf('rung-submit'), { data: rung, _meta: { withheld } }, CONCISE)).toEqual({
      data: { accepted: true, says: 'It passed.', finding: { id: 'fnd_1', withdrawToken: 'secret' } },
      _meta: { withheld },
    });
  });
});

describe('fields', () => {
  const ask = (id: string, fields: string) => takeView(operationOf(id), { fields }, 'concise').view;

  it('pick names and dotted paths, of the data or of the items of its lists, each whole', () => {
    const answer = { data: { trials: [TRIAL] }, _meta: META };
    const view = ask('trials-search', 'title, sponsor.name,dates.completion');
    expect(viewed(operationOf('trials-search'), answer, view).data).toEqual({
      trials: [{ title: TRIAL.title, sponsor: { name: 'A University' }, dates: { completion: null } }],
    });
    expect(picked({ distinct: 3, registries: [{ state: 'answered', dataDay: 'd' }] }, ['distinct'])).toEqual({
      distinct: 3,
    });
    expect(picked({ trials: [] }, ['title'])).toEqual({ trials: [] });
  });

  it('that no answer can have are refused with near ones', () => {
    const refused = (fields: string, id = 'trials-search') => {
      try {
        ask(id, fields);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refused('titel')).toContain('titel is no field of this answer');
    expect(refused('titel')).toContain('as title');
    expect(refused('sponsor.nam')).toContain('as sponsor.name');
    expect(refused('trials.dates.begin')).toMatch(/as trials\.dates\.\w+/);
    expect(refused(',')).not.toBeNull();
    expect(refused('distinct,inBoth', 'trials-coverage')).toBeNull();
    expect(refused('registrations.fields.secondaryOutcomes.measure', 'trials-detail')).toBeNull();
    // An answer may hold JSON of any shape, which can hold itself.
    for (const { id } of OPERATIONS.filter(takesView)) {
      expect(refused('diabetes 0', id) ?? 'taken', id).not.toContain('stack');
    }
  });
});

/** JSON with texts, numbers, lists and objects. */
const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' });
const data = fc.dictionary(fc.constantFrom('id', 'items', 'state', 'body', 'counts', 'hash', 'note'), json);

function leaves(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isObject(value) ? Object.values(value).flatMap(leaves) : [value];
}

describe('whatever the answer', () => {
  const generic = OPERATIONS.filter(
    (operation) => takesView(operation) && !operation.computes && !operation.id.startsWith('trials-'),
  );

  it('the concise form states nothing that the full one does not', () => {
    fc.assert(
      fc.property(data, fc.constantFrom(...generic), (given, operation) => {
        const whole = leaves(given);
        for (const leaf of leaves(viewed(operation, { data: given, _meta: {} }, CONCISE).data)) {
          const isCut = typeof leaf === 'string' && leaf.includes(' … (+');
          expect(isCut || whole.some((one) => Object.is(one, leaf))).toBe(true);
        }
      }),
      { numRuns: amountOf({ quick: 100, deep: 1_000 }) },
    );
  });

  it('full is the answer itself, and every form can be read', () => {
    fc.assert(
      fc.property(data, fc.constantFrom(...generic), (given, operation) => {
        const answer = { data: given, _meta: {} };
        expect(viewed(operation, answer, { detail: 'full', fields: null })).toBe(answer);
        expect(typeof readableText(operation, viewed(operation, answer, CONCISE))).toBe('string');
      }),
      { numRuns: amountOf({ quick: 50, deep: 500 }) },
    );
  });
});

describe('an answer that is too long for a model', () => {
  const items = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ canonicalId: `wt_${from + at}`, title: 'x'.repeat(2_000) }));
  const TOTAL = 230;
  /** What the service would answer: a page of 230 items. */
  const serve = ({ page = 1, pageSize = 20 }: { page?: number; pageSize?: number }) => {
    const first = (page - 1) * pageSize;
    const trials = items(first, Math.min(first + pageSize, TOTAL));
    const pagination = { page, totalItems: TOTAL, returned: trials.length, next: { page: page + 1 } };
    return { data: { trials }, _meta: { pagination } };
  };

  it('is cut at whole items, and the calls that it names bring the whole, none twice', () => {
    const operation = operationOf('trials-search');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 3 }), (pageSize, page) => {
        const first = (page - 1) * pageSize;
        fc.pre(first < TOTAL);
        let asked: { page: number; pageSize: number } | null = { page, pageSize };
        const seen: string[] = [];
        while (asked !== null && seen.length < TOTAL) {
          const shown = withinCeiling(operation, serve(asked), { ...CONCISE, asked: { q: 'x', ...asked } });
          expect(JSON.stringify(shown).length).toBeLessThanOrEqual(80_000);
          const { trials } = shown.data as { trials: { canonicalId: string }[] };
          seen.push(...trials.map(({ canonicalId }) => canonicalId));
          const { next, returned } = shown._meta.pagination as {
            next: { page: number; pageSize?: number };
            returned: number;
          };
          expect(returned).toBe(trials.length);
          const last: { page: number; pageSize: number } = {
            page: next.page,
            pageSize: next.pageSize ?? asked.pageSize,
          };
          asked = (last.page - 1) * last.pageSize < TOTAL ? last : null;
        }
        expect(seen).toEqual(items(first, TOTAL).map(({ canonicalId }) => canonicalId));
      }),
      { numRuns: amountOf({ quick: 15, deep: 100 }) },
    );
  });

  it('names what was cut with the call that brings it', () => {
    const asked = { q: 'x', page: 1, pageSize: 100 };
    const { data: shown, _meta } = withinCeiling(operationOf('trials-search'), serve(asked), { ...CONCISE, asked });
    expect(_meta).toEqual({
      pagination: { page: 1, totalItems: 230, returned: 38, next: { page: 2, pageSize: 38 } },
      cut: [{ at: 'trials', shown: 38, of: 100, unit: 'items' }],
    });
    expect((shown as { nextCalls: object[] }).nextCalls).toEqual([
      { call: 'GET /api/v1/trials/search?q=x&page=2&pageSize=38', why: 'The trials after the 38 that are shown.' },
    ]);
  });

  it('whose one text is too long names its address over REST', () => {
    const answer = { data: { canonicalId: 'wt_1', raw: [{ payload: 'a word '.repeat(20_000) }] }, _meta: {} };
    const asked = { canonicalId: 'wt_1', includeRaw: true };
    const { data: shown, _meta } = withinCeiling(operationOf('trials-detail'), answer, { ...CONCISE, asked });
    expect(JSON.stringify(shown).length).toBeLessThanOrEqual(80_000);
    expect(_meta.cut).toMatchObject([
      { at: 'raw.0.payload', of: 140_000, unit: 'characters', whole: '/api/v1/trials/wt_1?includeRaw=true' },
    ]);
  });
});
