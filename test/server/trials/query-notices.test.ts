import { describe, expect, it } from 'vitest';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const gateway = ofFile(() => openGateway());

const get = async (path: string) => (await gateway.get(`/api/v1/trials/${path}`)).body;
const noticesOf = async (path: string): Promise<string[]> => (await get(path))._meta.notices ?? [];
const q = (text: string, more = ''): string => `coverage?q=${encodeURIComponent(text)}${more}`;
const byConcepts = (text: string): string => q(text, '&match=concepts');

describe('a query by concepts', () => {
  it.each([
    [
      'diabetes (children',
      'In q, a parenthesis without a partner had no effect: match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses, in capitals and pairs, and no wildcards.',
    ],
    [
      'diabet?',
      'In q, ? had no effect: match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses, in capitals and pairs, and no wildcards.',
    ],
    [
      'of the',
      'q has only words that say nothing of a trial (of, the): its count answers no question. Name a disease, a treatment or a sponsor.',
    ],
  ])('%s says how it was read', async (text, notice) => {
    expect(await noticesOf(byConcepts(text))).toEqual([notice]);
  });
});

describe('values of a filter', () => {
  it.each([
    ['registry=ctgov', { registry: 'clinicaltrials_gov' }],
    [
      'status=Completed&studyType=Interventional&sex=FEMALE',
      { status: 'completed', studyType: 'interventional', sex: 'female' },
    ],
    ['q=diabetes&match=Concepts', { q: 'diabetes', match: 'concepts' }],
  ])('%s are read in any case, and named as they were read', async (query, filters) => {
    expect((await get(`coverage?${query}`))._meta.filters).toEqual(filters);
  });

  it.each([['startedAfter=2024', 'the year begins on 2024-01-01 and ends on 2024-12-31']])(
    '%s is refused with the days that it may mean',
    async (query, suggestion) => {
      const { error } = await get(`search?${query}`);
      expect([error.code, error.expected]).toEqual(['INVALID_PARAM', `a calendar day as YYYY-MM-DD; ${suggestion}`]);
    },
  );
});

describe('filters that contradict each other or have no effect', () => {
  it.each([
    [
      'resultsAvailable=false&resultsPostedAfter=2020-01-01',
      'resultsAvailable=false asks for trials without posted results, and resultsPostedAfter for the day on which they were posted: no trial has both. Send one of them.',
    ],
    [
      'startedAfter=2024-01-01&completedBefore=2023-01-01',
      'completedBefore is a day before startedAfter: only trials whose record states a completion before the start match.',
    ],
    [
      'resultsGap=true&registry=isrctn',
      'resultsGap asks for registrations of ClinicalTrials.gov: with registry=isrctn, only trials that both registries hold can match, and a zero says nothing of ISRCTN.',
    ],
    [
      'startedAfter=2024-01-01',
      'startedAfter also finds days after 2026-10-01, which are planned: startedBefore=2026-10-01 leaves them out.',
    ],
    ['country=Korea', 'country=Korea was read as South Korea: send the full name where you mean another.'],
  ])('%s', async (query, notice) => {
    expect(await noticesOf(`coverage?${query}`)).toContain(notice);
  });

  it.each([['country=KR', 'South Korea']])(
    '%s says that registries of the country are not held',
    async (query, country) => {
      expect(
        (await noticesOf(`coverage?${query}`)).filter((one: string) => one.startsWith('Other registries')),
      ).toEqual([`Other registries of ${country} are not held: trials that are registered only there are missing.`]);
    },
  );

  it.each([
    'startedAfter=2024-01-01&startedBefore=2026-10-01',
    'completedAfter=2024-01-01&status=completed',
    'resultsGap=true&registry=isrctn,ctgov',
    'country=GB',
    'q=diabetes&match=concepts',
  ])('%s says nothing of the kind', async (query) => expect(await noticesOf(`coverage?${query}`)).toEqual([]));
});

it('a page beyond the last says that it is no empty answer', async () => {
  const { data, _meta } = await get('search?topic=type-1-diabetes&pageSize=5&page=900');
  expect(data.trials).toEqual([]);
  const last = Math.ceil(_meta.pagination.totalItems / 5);
  expect(_meta.notices).toEqual([
    `page=900 is beyond the last page, page=${last}: it shows none of the ${_meta.pagination.totalItems} trials.`,
  ]);
  expect(await noticesOf(`search?topic=type-1-diabetes&pageSize=5&page=${last}`)).toEqual([]);
});

describe('a count for an identifier', () => {
  it.each(['coverage', 'search', 'trend', 'landscape'])('%s leads to the trial', async (operation) => {
    expect((await get(`${operation}?q=nct90000183`))._meta.hints).toContainEqual({
      cause: 'identifier',
      sentence:
        'NCT90000183 is an identifier: 0 counts the trials whose text has it as a word, which says nothing of the trial that it names.',
      call: '/api/v1/trials/registrations?id=NCT90000183',
    });
  });
});
