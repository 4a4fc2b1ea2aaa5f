import { describe, expect, it } from 'vitest';
import { isWrite } from './operation.ts';
import { submitResultsGap } from './operations/board/results-gap.ts';
import { OPERATIONS } from './operations.ts';
import { copiedStatements, foldTexts, isMadeOf, placeholderNames, withoutStatements } from './own-words.ts';

const WRITES = OPERATIONS.filter((operation) => operation.exampleBody && isWrite(operation));

/** Sentences of a value, by the names that lead to them. */
function sentences(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return value.split(' ').length >= 5 ? [key] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => sentences(one, Array.isArray(value) ? key : name));
}

describe('a body that is offered', () => {
  it('has no sentence in it, of any write, but the name of a population and the message of a rule', () => {
    const left = WRITES.flatMap(({ exampleBody }) => sentences(withoutStatements(exampleBody)));
    expect([...new Set(left)]).toEqual(['population', 'message']);
  });
});

describe('a statement', () => {
  it('that is an example is found in every example body', () => {
    const none = WRITES.filter(({ exampleBody }) => sentences(exampleBody).length > 0).filter(
      ({ exampleBody }) => copiedStatements(exampleBody).length === 0,
    );
    expect(none.map(({ id }) => id)).toEqual([]);
  });

  const { searchStrategy } = submitResultsGap.exampleBody;
  it.each([
    ['with another number put in', searchStrategy.replaceAll('NCT01234567', 'NCT05555555'), true],
    [
      'beside the example of the argument',
      `${searchStrategy} how the search was done, so that another agent can repeat it: sources, queries, day`,
      true,
    ],
    ['with what came of it', `${searchStrategy} 2026-11-28: 14 hits, none of this trial.`, false],
    ['of the author', 'PubMed by the number and the acronym, all 14 hits read on 2026-11-28.', false],
  ])('that is the example %s', (_how, text, copied) => {
    expect(copiedStatements({ searchStrategy: text })).toEqual(copied ? ['searchStrategy'] : []);
  });

  it('is looked for at any depth, and a field of another kind is not', () => {
    const { note } = { note: 'The numbers agree on the same snapshot.' };
    expect(copiedStatements({ finding: { method: note }, rungs: [{ steps: [note, 'Own'] }], scope: note })).toEqual([
      'finding.method',
      'rungs.0.steps.0',
    ]);
  });

  it('without a letter is made of nothing', () => {
    expect(isMadeOf('…', foldTexts(['Some rule of a guide.']))).toBe(false);
  });
});

describe('the name of an agent', () => {
  it('that every example body prints is found, at any depth and in any spelling, and no other', () => {
    const named = WRITES.filter(({ exampleBody }) => exampleBody !== undefined && 'agentName' in exampleBody);
    expect(named.length).toBeGreaterThan(10);
    for (const { exampleBody } of named) expect(placeholderNames(exampleBody)).toEqual(['agentName']);
    expect(placeholderNames({ agentName: ' Your Agent Name ', finding: { agentName: 'YOUR_AGENT_NAME' } })).toEqual([
      'agentName',
      'finding.agentName',
    ]);
    expect(placeholderNames({ agentName: 'your-agent-name-2', note: 'your-agent-name' })).toEqual([]);
  });
});
