import { describe, expect, it } from 'vitest';
import { filterNamed, readFiltersIn } from './named-filters.ts';

describe('words of a question', () => {
  it.each([
    ['Germany', { parameter: 'country', value: 'Germany' }],
    ['united kingdom', { parameter: 'country', value: 'United Kingdom' }],
    ['UK', { parameter: 'country', value: 'United Kingdom' }],
    ['uk', { parameter: 'country', value: 'United Kingdom' }],
    ['Uk', { parameter: 'country', value: 'United Kingdom' }],
    ['the uk', { parameter: 'country', value: 'United Kingdom' }],
    ['U.K.', { parameter: 'country', value: 'United Kingdom' }],
    ['usa', { parameter: 'country', value: 'United States' }],
    ['the us', { parameter: 'country', value: 'United States' }],
    ['the US', { parameter: 'country', value: 'United States' }],
    ['recruiting', { parameter: 'status', value: 'recruiting' }],
    ['Not yet recruiting', { parameter: 'status', value: 'not_yet_recruiting' }],
    ['PHASE2', { parameter: 'phase', value: '2' }],
    ['phase III', { parameter: 'phase', value: '3' }],
    ['in', null],
    ['us', null],
    ['Us', null],
    ['it', null],
    ['the er', null],
    ['be', null],
    ['2', null],
    ['unknown', null],
    ['phase', null],
    ['diabetes', null],
  ])('%s names its filter or none', (words, named) => {
    expect(filterNamed(words)).toEqual(named);
  });

  it('are a city where trials have a site in one of that name', () => {
    const isCity = (words: string): boolean => words.toLowerCase() === 'new york';
    expect(readFiltersIn(['asthma', 'new', 'york', 'York'], new Set(), isCity)).toEqual({
      rest: ['asthma', 'York'],
      filters: { sitePlace: 'new york' },
    });
    expect(readFiltersIn(['new', 'york'], new Set(['sitePlace']), isCity).filters).toEqual({});
  });

  it('are taken once each, the longest name first, and never for a filter that is given', () => {
    expect(readFiltersIn(['lung', 'cancer', 'phase', '3', 'United', 'Kingdom', 'Germany'], new Set())).toEqual({
      rest: ['lung', 'cancer', 'Germany'],
      filters: { phase: '3', country: 'United Kingdom' },
    });
    expect(readFiltersIn(['asthma', 'Germany'], new Set(['country']))).toEqual({
      rest: ['asthma', 'Germany'],
      filters: {},
    });
  });
});
