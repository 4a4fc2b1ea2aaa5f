import { describe, expect, it } from 'vitest';
import { searchTools } from '../../contract/interfaces/tool-search.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { INTENTS } from './tool-intents.ts';

const TOOLS = OPERATIONS.filter(({ names }) => names?.mcp !== undefined);

/** A client that searches tools sees only their names and texts: what an agent says must lead to the right one. */
describe('what an agent says before it knows any tool', () => {
  const ranksOf = (reading: 'listed' | 'whole') =>
    INTENTS.map(([said, id]) => ({ said, id, rank: searchTools(said, TOOLS, reading).indexOf(id) + 1 }));

  it.each(['listed', 'whole'] as const)(
    'leads to the right tool first in 85 of a hundred, and among five in 98 (%s)',
    (reading) => {
      const ranks = ranksOf(reading);
      const notFirst = ranks.filter(({ rank }) => rank !== 1);
      const notInFive = ranks.filter(({ rank }) => rank === 0 || rank > 5);
      expect(notFirst.length, JSON.stringify(notFirst)).toBeLessThanOrEqual(9);
      expect(notInFive.length, JSON.stringify(notInFive)).toBeLessThanOrEqual(1);
    },
  );
});

describe('what an agent says of trials', () => {
  it.each([
    ['trials of heart failure', ['trials-search']],
    ['trials for breast cancer in Germany', ['trials-search']],
    ['find studies of metformin', ['trials-search']],
    ['trials of parkinson disease in Spain', ['trials-search']],
    ['recruiting trials in London', ['trials-search']],
    ['how many trials of asthma are there', ['trials-coverage']],
    ['sites of a trial', ['trials-sites']],
    ['hospitals in France where this trial recruits', ['trials-sites']],
    ['trials without posted results', ['trials-results-gap', 'results-gap']],
  ])('leads "%s" to the right tool first', (said, ids) => {
    expect(ids).toContain(searchTools(said, TOOLS, 'whole')[0]);
  });
});

describe('the search for a tool', () => {
  const all = ['trials-search', 'claims-create', 'findings'].map((id) => OPERATIONS.find((one) => one.id === id)!);

  it('ranks by plain words, in any case, and leaves out what has none of them', () => {
    expect(searchTools('START working!', all)[0]).toBe('claims-create');
    expect(searchTools('recruiting', all)).toEqual(['trials-search']);
    expect(searchTools('objectiveId', all).sort()).toEqual(['claims-create', 'findings']);
    expect(searchTools('42 %', all)).toEqual([]);
    expect(searchTools('anything', [])).toEqual([]);
  });
});

it('every tool has a title and a description of at most 250 characters, no two alike', () => {
  expect(TOOLS.filter(({ tool }) => tool === undefined).map(({ id }) => id)).toEqual([]);
  for (const { id, tool } of TOOLS) {
    expect([id, tool!.description.length <= 250, tool!.description.endsWith('.')]).toEqual([id, true, true]);
    expect([id, tool!.title.length <= 60, /^[A-Z]/.test(tool!.title)]).toEqual([id, true, true]);
  }
  expect(new Set(TOOLS.map(({ tool }) => tool!.description)).size).toBe(TOOLS.length);
  expect(new Set(TOOLS.map(({ tool }) => tool!.title)).size).toBe(TOOLS.length);
});
