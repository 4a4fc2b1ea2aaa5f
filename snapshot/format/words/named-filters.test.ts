import { describe, expect, it } from 'vitest';
import { listOf, pairsOf } from '../../../test/builders/pairs.ts';
import { filterNamed, readFiltersIn } from './named-filters.ts';

describe('words of a question', () => {
  it.each(
    pairsOf(`
    Germany = country Germany | united kingdom = country United Kingdom | UK = country United Kingdom
    uk = country United Kingdom | Uk = country United Kingdom | the uk = country United Kingdom
    U.K. = country United Kingdom | usa = country United States | the us = country United States
    the US = country United States | recruiting = status recruiting | Not yet recruiting = status not_yet_recruiting
    PHASE2 = phase 2 | phase III = phase 3
  `),
  )('%s names the filter %s', (words, named) => {
    const { parameter, value } = filterNamed(words)!;
    expect(`${parameter} ${value}`).toBe(named);
  });

  it.each(listOf('in | us | Us | it | the er | be | 2 | unknown | phase | diabetes'))('%s names no filter', (words) => {
    expect(filterNamed(words)).toBeNull();
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
