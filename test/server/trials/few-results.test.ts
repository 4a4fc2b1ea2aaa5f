import { describe, expect, it } from 'vitest';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const gateway = ofFile(() => openGateway());

const get = async (path: string) => (await gateway.get(`/api/v1/trials/${path}`)).body;
const metaOf = async (path: string) => (await get(path))._meta;

const SEARCH = '/api/v1/trials/search';
/** What the answer to a call counts. */
const countAt = async (call: string): Promise<number> => {
  const { data, _meta } = (await gateway.get(call)).body;
  return _meta.pagination?.totalItems ?? data.distinct ?? data.trials;
};

const TEXT = [
  {
    registry: 'clinicaltrials_gov',
    state: 'answered',
    registrations: 598,
    withText: { title: 598, conditions: 598, interventions: 569, sponsor: 598 },
  },
  {
    registry: 'isrctn',
    state: 'answered',
    registrations: 218,
    withText: { title: 218, conditions: 218, interventions: 137, sponsor: 218 },
  },
];

describe('an answer with fewer than ten trials', () => {
  it('proposes no text that is too long for its mode, and so answers a text of the most words', async () => {
    // "Heart" has broader readings of more words; the text has 32, the most for match=concepts.
    const words = ['heart', ...'insulin therapy placebo children adults surgery diabetes lung'.split(' ')];
    const q = Array.from({ length: 32 }, (_, place) => words[place % words.length]).join(' ');
    const { data, _meta } = await get(`search?q=${encodeURIComponent(q)}&match=concepts`);
    expect(data.trials).toEqual([]);
    expect(_meta.fewResults.total).toBe(0);
  });

  it('says what each word and each filter costs, and where there is text to match', async () => {
    const { fewResults, pagination } = await metaOf('search?q=diabetes+gardening&status=COMPLETED');
    expect(pagination.totalItems).toBe(0);
    expect(fewResults).toEqual({
      total: 0,
      without: [
        { parameter: 'q', dropped: 'diabetes', total: 0, call: `${SEARCH}?q=gardening&status=COMPLETED` },
        { parameter: 'q', dropped: 'gardening', total: 50, call: `${SEARCH}?q=diabetes&status=COMPLETED` },
        { parameter: 'q', dropped: 'diabetes gardening', total: 363, call: `${SEARCH}?status=COMPLETED` },
        { parameter: 'status', dropped: 'COMPLETED', total: 0, call: `${SEARCH}?q=diabetes+gardening` },
      ],
      spelling: [{ parameter: 'q', word: 'gardening', nearest: [] }],
      text: TEXT,
    });
  });

  it.each([
    [
      'search?q=diabetis',
      'q',
      'diabetis',
      [
        ['diabetic', 1, 19],
        ['diabetes', 2, 86],
      ],
    ],
    ['coverage?q=hypertnesion', 'q', 'hypertnesion', [['hypertension', 1, 28]]],
    ['search?q=xyzzyq', 'q', 'xyzzyq', []],
  ])('%s names the nearest known spellings with their counts', async (path, parameter, word, nearest) => {
    const { spelling } = (await metaOf(path)).fewResults;
    const [read, asked] = path.split('?') as [string, string];
    expect(spelling).toEqual([
      {
        ...{ parameter, word },
        nearest: nearest.map(([near, edits, trials]) => ({
          ...{ word: near, edits, trials },
          call: `/api/v1/trials/${read}?${asked.replace(word, String(near))}`,
        })),
      },
    ]);
    for (const { trials, call } of spelling[0].nearest) expect(await countAt(call), call).toBe(trials);
  });

  it('mends two edits of a name that begins alike, and offers no single letter', async () => {
    const { fewResults, nextCalls } = await metaOf('search?q=athsma');
    expect(fewResults.spelling).toMatchObject([{ word: 'athsma', nearest: [{ word: 'asthma', edits: 2 }] }]);
    expect(nextCalls[0].call).toBe(`GET ${SEARCH}?q=asthma`);
    const { fewResults: lettered } = await metaOf('search?q=nothinghasthis+A');
    expect(lettered.without.map(({ dropped }: { dropped: string }) => dropped)).toEqual(['A']);
    expect(lettered.rather).toBeUndefined();
  });
});

describe('a question that finds more', () => {
  it.each([
    [
      'search?q=diabetes+Germany',
      { q: 'diabetes', filters: { country: 'Germany' }, dropped: [] },
      'q=diabetes&country=Germany',
    ],
    [
      'search?q=how+many+trials+of+diabetes+are+recruiting+in+the+United+Kingdom%3F',
      {
        q: 'diabetes',
        filters: { status: 'recruiting', country: 'United Kingdom' },
        dropped: ['how', 'many', 'trials', 'of', 'are', 'in'],
      },
      'q=diabetes&status=recruiting&country=GB',
    ],
  ])('%s is told with its count', async (path, rather, same) => {
    const { fewResults } = await metaOf(path);
    const { pagination } = await metaOf(`search?${same}`);
    expect(fewResults.rather).toMatchObject({ ...rather, total: pagination.totalItems });
    expect(await countAt(fewResults.rather.call)).toBe(pagination.totalItems);
    expect(pagination.totalItems).toBeGreaterThan(fewResults.total);
  });

  it.each([
    'q=zyzzyva',
    'q=diabetes+gardening',
    'q=diabetes+OR+gardening',
    'q=zyzzyva+Germany&country=FR',
    'country=Czechia',
  ])('is not made up for ?%s', async (query) => {
    const { fewResults } = await metaOf(`search?${query}`);
    expect([fewResults.total, fewResults.rather]).toEqual([0, undefined]);
  });
});

describe('what a search may not have meant', () => {
  it('names the parameter that an ignored one may stand for, beside other notices', async () => {
    const { ignored, notices } = await metaOf('search?query=x&disease=y&serch=z&colour=red&q=diabetes+OR+asthma');
    expect(ignored).toEqual(['query', 'disease', 'serch', 'colour']);
    expect(notices).toEqual([
      'query is no parameter here and had no effect. Did you mean q?',
      'disease is no parameter here and had no effect. Did you mean condition?',
      'serch is no parameter here and had no effect. Did you mean q?',
      'colour is no parameter here and had no effect.',
      expect.stringContaining('q takes no operators (OR)'),
    ]);
  });

  it('says that a filter reads a phase, and a look-up the number of a registration, better than words do', async () => {
    const phase =
      '“phase III” in q is matched as words, which few texts have; phase=3 asks for the phase that registries state.';
    for (const path of [
      'search?q=diabetes+phase+III',
      'coverage?q=phase+III,+diabetes&match=concepts',
      'trend?q=phase+III',
    ]) {
      expect((await metaOf(path)).notices, path).toEqual([phase]);
    }
    expect((await metaOf('search?q=diabetes+phase+III&phase=3')).notices).toBeUndefined();
    expect((await metaOf('search?q="phase+III"+diabetes')).notices).toBeUndefined();
    expect((await metaOf('search?q=diabetes+nct90000183+ISRCTN99999999')).notices).toEqual([
      'NCT90000183 in q is the number of a registration and was matched as a word: /api/v1/trials/registrations?id=NCT90000183 leads to its trial.',
      'ISRCTN99999999 in q is the number of a registration and was matched as a word: no trial of this index has it.',
    ]);
    expect((await get('registrations?id=NCT90000183')).data.total).toBe(1);
  });

  it('names the reads below a path that has no read of its own', async () => {
    const { status, body } = await gateway.get('/api/v1/trials?q=diabetes');
    expect(status).toBe(404);
    expect(body.error.message).toContain('Below it are GET /api/v1/trials/search, GET /api/v1/trials/coverage, ');
    const { body: other } = await gateway.get('/api/v1/nowhere');
    expect(other.error.message).toBe('No object and no route is at this path.');
  });
});

describe('an answer with ten trials or more', () => {
  it.each(['search?q=diabetes', 'search?q=diabetes&page=900', 'coverage?q=diabetes', 'landscape', 'search'])(
    '%s says nothing of this',
    async (path) => {
      const meta = await metaOf(path);
      expect([meta.fewResults, meta.identifier]).toEqual([undefined, undefined]);
    },
  );
});

describe('an identifier as q', () => {
  it('leads to its trial, and the strict count stays as it is', async () => {
    const { data, _meta } = await get('search?q=nct+90000183');
    expect([data.trials, _meta.pagination.totalItems]).toEqual([[], 0]);
    expect(_meta.identifier).toEqual({
      value: 'NCT90000183',
      type: 'nct',
      standing: 'registration',
      total: 1,
      trials: [{ canonicalId: 'wt_r1r6vb1x9ja8', call: '/api/v1/trials/wt_r1r6vb1x9ja8' }],
      call: '/api/v1/trials/registrations?id=NCT90000183',
    });
  });
});
