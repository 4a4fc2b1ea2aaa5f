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
type Hint = { cause: string; sentence: string; total?: number; call: string };
const hintsOf = async (path: string): Promise<Hint[]> => (await metaOf(path)).hints ?? [];
const of = async (cause: string, path: string) => (await hintsOf(path)).filter((hint) => hint.cause === cause);

describe('an answer with fewer than ten trials', () => {
  it('proposes no text that is too long for its mode, and so answers a text of the most words', async () => {
    // "Heart" has broader readings of more words; the text has 32, the most for match=concepts.
    const words = ['heart', ...'insulin therapy placebo children adults surgery diabetes lung'.split(' ')];
    const q = Array.from({ length: 32 }, (_, place) => words[place % words.length]).join(' ');
    const { data } = await get(`search?q=${encodeURIComponent(q)}&match=concepts`);
    expect(data.trials).toEqual([]);
  });

  it('says what each word and each filter costs, with calls that bring as many trials', async () => {
    const fewer = await of('fewer', 'search?q=diabetes+gardening&status=COMPLETED');
    expect(fewer).toContainEqual({
      ...{ cause: 'fewer', sentence: 'Without “gardening” in q: 50 trials.', total: 50 },
      call: `${SEARCH}?q=diabetes&status=COMPLETED`,
    });
    const { hints, notices } = await metaOf('coverage?q=diabetes&country=Germany&phase=4');
    for (const { total, call } of hints as Hint[])
      if (total !== undefined) expect(await countAt(call), call).toBe(total);
    expect(notices).toContain(
      'Other registries of Germany are not held: trials that are registered only there are missing.',
    );
  });

  it.each([
    ['search?q=diabetis', 'diabetis', ['diabetic', 'diabetes']],
    ['coverage?q=hypertnesion', 'hypertnesion', ['hypertension']],
    ['search?q=athsma', 'athsma', ['asthma']],
    ['search?q=xyzzyq', 'xyzzyq', []],
  ])('%s names the nearest known spellings with their calls', async (path, word, nearest) => {
    const calls = (await of('spelling', path)).map(({ call }) => call);
    expect(calls).toEqual(nearest.map((near) => `/api/v1/trials/${path.replace(word, near)}`));
  });

  it('leads to the nearest spelling first, and offers no single letter', async () => {
    expect((await metaOf('search?q=athsma')).nextCalls[0].call).toBe(`GET ${SEARCH}?q=asthma`);
    const calls = (await of('fewer', 'search?q=nothinghasthis+A')).map(({ call }) => call);
    expect(calls).not.toContain(`${SEARCH}?q=A`);
  });
});

describe('words that name a filter', () => {
  it.each([
    ['search?q=diabetes+Germany', 'country=Germany and q=diabetes', 'country=Germany&q=diabetes'],
    [
      'search?q=how+many+trials+of+diabetes+are+recruiting+in+the+United+Kingdom%3F',
      'status=recruiting and country=United Kingdom and q=diabetes',
      'status=recruiting&country=United+Kingdom&q=diabetes',
    ],
    ['search?q=diabetes+phase+III', 'phase=3 and q=diabetes', 'phase=3&q=diabetes'],
  ])('%s', async (path, read, same) => {
    const { pagination } = await metaOf(`search?${same}`);
    const total = pagination.totalItems;
    const [hint] = await of('filter', path);
    const sentence = `Words of q name a filter and were matched as words: ${read} has ${total} trials.`;
    expect(hint).toMatchObject({ total, sentence });
    expect(await countAt(hint!.call)).toBe(total);
  });

  it.each([
    'q=zyzzyva',
    'q=diabetes+gardening',
    'q=diabetes+OR+gardening',
    'q=zyzzyva+Germany&country=FR',
    'country=Czechia',
    'q=diabetes+phase+III&phase=3',
    'q="phase+III"+diabetes',
  ])('are not made up for ?%s', async (query) => expect(await of('filter', `search?${query}`)).toEqual([]));

  it('may be a class of sponsors', async () => {
    expect(await of('filter', 'coverage?sponsor=NIH')).toEqual([
      {
        cause: 'filter',
        sentence: 'sponsor=NIH asks for sponsors with this word in their name; sponsorClass=nih asks for the class.',
        call: '/api/v1/trials/coverage?sponsorClass=nih',
      },
    ]);
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

  it('says that a look-up reads the number of a registration better than words do', async () => {
    const { hints, notices } = await metaOf('search?q=diabetes+nct90000183+ISRCTN99999999');
    expect(hints[0]).toEqual({
      cause: 'identifier',
      sentence: 'NCT90000183 in q is the number of a registration and was matched as a word.',
      call: '/api/v1/trials/registrations?id=NCT90000183',
    });
    expect(notices).toContain(
      'ISRCTN99999999 in q is the number of a registration and was matched as a word: no trial of this index has it.',
    );
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
    '%s says nothing of what finds more',
    async (path) => {
      const causes = (await hintsOf(path)).map(({ cause }) => cause);
      expect(causes.filter((cause) => ['spelling', 'fewer', 'filter', 'keyword'].includes(cause))).toEqual([]);
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
