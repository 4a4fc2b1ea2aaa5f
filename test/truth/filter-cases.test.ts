import { describe, expect, test } from 'vitest';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { FILTERS, FILTERS_OF_EACH, inOrder, SORTS } from './filter-cases.ts';
import { MODALITIES } from './measures/filters.ts';
import { readTrial } from './raw/isrctn.ts';
import { readStudy } from './raw/study.ts';

const study = (parts: object) =>
  readStudy({
    hasResults: false,
    protocolSection: {
      identificationModule: { nctId: 'NCT00000001', briefTitle: 'A study' },
      statusModule: { overallStatus: 'COMPLETED' },
      designModule: { studyType: 'INTERVENTIONAL' },
      sponsorCollaboratorsModule: { leadSponsor: { name: 'A sponsor', class: 'OTHER' } },
      conditionsModule: { conditions: [] },
      eligibilityModule: { sex: 'ALL' },
      ...parts,
    },
  });

const trial = (inside: string) =>
  readTrial(`<fullTrial><trial><isrctn>00000002</isrctn>${inside}</trial></fullTrial>`, '2026-11-21');

describe('the cases of filters', () => {
  test('ask every filter of a search at least once; how words are matched is measured by natural queries', () => {
    const asked = [...Object.keys(FILTERS), ...MODALITIES.map((ids) => `modality=${ids}`)];
    const names = new Set(asked.flatMap((query) => [...new URLSearchParams(query).keys()]));
    expect(Object.keys(trialFilterParameters).filter((name) => name !== 'match' && !names.has(name))).toEqual([]);
    expect(asked.length).toBeGreaterThanOrEqual(40);
    expect(FILTERS_OF_EACH.map(({ parameter }) => parameter)).toEqual(['condition', 'sitePlace', 'age']);
  });

  test('ask every order by a value', () => {
    const sorts = new Set(Object.keys(SORTS).map((query) => new URLSearchParams(query).get('sort')));
    expect([...sorts]).toEqual(['updated', 'start', 'completion', 'enrollment', 'daysOverdue']);
  });

  test('put the largest value first, trials without one last, and equal ones by update, then by canonical id', () => {
    const of = (nctId: string, count: number | undefined, date: string) => ({
      records: [
        study({
          identificationModule: { nctId, briefTitle: 'A study' },
          statusModule: { overallStatus: 'COMPLETED', lastUpdatePostDateStruct: { date } },
          designModule: { studyType: 'INTERVENTIONAL', enrollmentInfo: { count } },
        }),
      ],
    });
    const trials = [
      of('none', undefined, '2026-01-01'),
      of('b', 10, '2020-01-01'),
      of('a', 10, '2020-01-01'),
      of('newer', 10, '2021-01-01'),
      of('most', 999, '2001-01-01'),
      of('filled in', 999_999, '2025-12-31'),
    ];
    const ordered = inOrder(trials, SORTS['sort=enrollment']!, ({ records }) => records[0]!.id);
    expect(ordered.map(({ records }) => records[0]!.id)).toEqual(['most', 'newer', 'a', 'b', 'none', 'filled in']);
  });
});

describe('the second reading of raw records', () => {
  test('takes a month from its first to its last day', () => {
    const { dates } = study({
      statusModule: {
        overallStatus: 'COMPLETED',
        completionDateStruct: { date: '2020-02' },
        startDateStruct: { date: '2019-12-31' },
      },
    });
    expect(dates.completion).toEqual({ first: '2020-02-01', last: '2020-02-29' });
    expect(dates.start).toEqual({ first: '2019-12-31', last: '2019-12-31' });
    expect(dates.resultsPosted).toBeNull();
  });

  test('reads an ISRCTN trial: status by override or dates, limits in completed years, results at the registry', () => {
    const ended = '<trialDesign><overallEndDate>2026-11-20T00:00:00.000Z</overallEndDate></trialDesign>';
    const lasting = '<trialDesign><overallEndDate>2026-11-21T00:00:00.000Z</overallEndDate></trialDesign>';
    expect(trial(ended).status.overall).toBe('Completed');
    expect(
      trial(`${lasting}<participants><recruitmentStart>2026-11-22</recruitmentStart></participants>`).status,
    ).toEqual({
      overall: 'Ongoing',
      recruitment: 'Not yet recruiting',
    });
    expect(
      trial('<trialDesign><overallStatusOverride>Stopped</overallStatusOverride></trialDesign>').status.overall,
    ).toBe('Stopped');
    const limits = '<participants><lowerAgeLimit unit="Months" value="30">30 Months</lowerAgeLimit></participants>';
    expect(trial(limits).ages).toEqual({ from: 2, to: null });
    const report = (text: string) => trial(`<results><basicReport>${text}</basicReport></results>`).hasResults;
    expect(report('Basic results see attached file a.pdf')).toBe(true);
    expect(report('Basic results in https://clinicaltrials.gov/a')).toBe(false);
  });

  test('takes no element for another one whose name begins alike, and no empty one for an open one', () => {
    const { title, officialTitle, conditions, sponsor } = trial(
      `<trialDescription><title/><scientificTitle>A &amp; B</scientificTitle></trialDescription>
       <conditions><condition><description>1. Pain\n2. Fever</description></condition></conditions>
       <parties><sponsorId>x</sponsorId></parties></trial><sponsor id="w"><organisation>Other</organisation></sponsor>
       <sponsor id="x"><organisation>Lead</organisation><sponsorType/><commercialStatus>Commercial</commercialStatus></sponsor>`,
    );
    expect({ title, officialTitle, conditions, sponsor }).toEqual({
      title: '',
      officialTitle: 'A & B',
      conditions: ['Pain', 'Fever'],
      sponsor: { name: 'Lead', kind: 'Commercial' },
    });
  });
});
