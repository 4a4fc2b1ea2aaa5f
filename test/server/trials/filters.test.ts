import { describe, expect, it } from 'vitest';
import { CONFLICT_FIELDS } from '../../../contract/fields/field-shapes.ts';
import { ofFile } from '../../support/of-file.ts';
import { openOrigin } from '../../support/origin.ts';

const origin = ofFile(() => openOrigin());

const get = async (path: string) => (await origin.get(`/api/v1/${path}`)).body;
const distinct = async (query: string): Promise<number> => (await get(`trials/coverage?${query}`)).data.distinct;

describe('filters', () => {
  it('resultsGap is the population that the counter of the results gap counts', async () => {
    const { data } = await get('results-gap');
    const inGap = await distinct('resultsGap=true');
    expect(inGap).toBe(data.population);
    expect(inGap).toBeGreaterThan(0);
    expect(inGap + (await distinct('resultsGap=false'))).toBe(await distinct(''));
  });

  it('a search of the results gap, or in its order, says how many days each trial is overdue, and no other search does', async () => {
    const shown = async (query: string) => (await get(`trials/search?pageSize=50&${query}`)).data.trials;
    const overdue = await shown('resultsGap=true&sort=daysOverdue');
    const days: number[] = overdue.map((trial: { daysOverdue: number }) => trial.daysOverdue);
    expect(days).toEqual(days.toSorted((one, other) => other - one));
    expect(days.every((one) => Number.isInteger(one) && one >= 0)).toBe(true);
    expect((await shown('resultsGap=true')).every((trial: object) => 'daysOverdue' in trial)).toBe(true);
    const outside = await shown('resultsGap=false&sort=daysOverdue');
    expect(new Set(outside.map((trial: { daysOverdue: null }) => trial.daysOverdue))).toEqual(new Set([null]));
    expect((await shown('')).some((trial: object) => 'daysOverdue' in trial)).toBe(false);
    const [{ dates, daysOverdue }] = overdue;
    // 18 months after its completion is 2006-07-16, and the snapshot is as of 2026-10-01.
    expect([dates.primaryCompletion.date, daysOverdue]).toEqual(['2005-01-16', 7382]);
  });

  it('days overdue count from the clock that the search asks for', async () => {
    const { trials } = (await get('trials/search?pageSize=50&resultsGap=true&gapMonths=12&sort=daysOverdue')).data;
    // Six months more than by the clock of 18 months, from 2006-01-16.
    expect(trials[0].daysOverdue).toBe(7563);
    const { data } = await get('trials/results-gap?gapMonths=12&gapClock=completion');
    const byCompletion = await get(
      'trials/search?pageSize=1&resultsDue=true&gapMonths=12&gapClock=completion&sort=daysOverdue',
    );
    expect(byCompletion.data.trials[0].daysOverdue).toBe(data.daysOverdue.longest);
    const later = (await get('trials/search?pageSize=50&resultsGap=true&resultsDueAfter=2026-04-02&gapMonths=12')).data
      .trials as { daysOverdue: number }[];
    // Due within the last half year, which the clock of 18 months does not count at all.
    expect(later.length).toBeGreaterThan(0);
    expect(later.every(({ daysOverdue }) => daysOverdue >= 0 && daysOverdue <= 182)).toBe(true);
  });

  it('conflictsOn is what the trials themselves show in their conflicts', async () => {
    const both = (await get('trials/search?inBoth=true&pageSize=50')).data.trials;
    expect(both).toHaveLength(50);
    const having = (...fields: string[]): string[] =>
      both
        .filter(({ conflicts }: { conflicts: { field: string }[] }) =>
          conflicts.some(({ field }) => fields.includes(field)),
        )
        .map(({ canonicalId }: { canonicalId: string }) => canonicalId);
    const found = async (query: string): Promise<string[]> =>
      (await get(`trials/search?pageSize=50&conflictsOn=${query}`)).data.trials.map(
        ({ canonicalId }: { canonicalId: string }) => canonicalId,
      );
    const counts: Record<string, number> = {};
    for (const field of CONFLICT_FIELDS) {
      counts[field] = having(field).length;
      expect([field, await found(field)]).toEqual([field, having(field)]);
    }
    expect(counts.enrollment).toBeGreaterThan(0);
    expect(counts.status).toBeGreaterThan(0);
    expect(await found('status,enrollment')).toEqual(having('status', 'enrollment'));
    expect(await distinct('conflictsOn=enrollment')).toBe(counts.enrollment);
    const refused = await get('trials/search?conflictsOn=enrolment');
    expect(refused.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'conflictsOn' });
    expect(JSON.stringify(refused.error)).toContain('enrollment');
  });

  it("reads registries' words for classes of sponsors and modalities in any case, and says so", async () => {
    const { _meta } = await get('trials/coverage?sponsorClass=INDUSTRY,OTHER_GOV&modality=Small%20molecule');
    expect(_meta.filters).toEqual({ sponsorClass: 'industry,government', modality: 'small-molecule' });
    const [words, names] = [await distinct('sponsorClass=FED,NIH'), await distinct('sponsorClass=federal,nih')];
    expect([words, words > 0]).toEqual([names, true]);
    const refused = await get('trials/coverage?sponsorClass=charity');
    expect(refused.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'sponsorClass' });
  });
});

describe('sorts', () => {
  it('by relevance says what the scores of a page are of', async () => {
    const { _meta } = await get('trials/search?sort=relevance&q=diabetes&pageSize=2');
    expect(_meta.relevance).toEqual({
      parts: 1,
      highest: 4,
      scores: [4, 4],
      formula: expect.stringContaining('title or acronym 4, conditions 3, interventions 2, elsewhere 1'),
    });
  });

  it('by relevance without a word to score is by update, with a notice', async () => {
    const byUpdate = await get('trials/search?phase=2');
    const { data, _meta } = await get('trials/search?phase=2&sort=relevance');
    expect(data).toEqual(byUpdate.data);
    expect(_meta.relevance).toBeUndefined();
    expect(_meta.notices).toEqual([
      'sort=relevance scores the words of q, and this request has none to score: the trials stand in the order of updates.',
    ]);
    const excluding = await get('trials/search?q=-diabetes&match=concepts&sort=relevance');
    expect(excluding._meta.notices).toEqual([
      'q leaves out and asks for nothing: every trial without what it leaves out matches. Add what to find.',
      ..._meta.notices,
    ]);
  });
});
