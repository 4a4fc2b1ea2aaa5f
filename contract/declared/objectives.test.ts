import { describe, expect, test } from 'vitest';
import { unknownCallsIn } from '../../test/support/contract-texts.ts';
import { OBJECTIVE_IDS } from '../ids.ts';
import { MODULE_OBJECTIVES, OBJECTIVES } from './objectives.ts';
import { QUESTIONS } from './questions.ts';

const ALL = [...OBJECTIVES, ...MODULE_OBJECTIVES];

describe('the objectives', () => {
  test('are the five of the interface with their levels, in its order', () => {
    expect(OBJECTIVES.map(({ id, level }) => [id, level])).toEqual([
      ['map-one-disease', 'entry'],
      ['modality-attrition', 'intermediate'],
      ['reporting-gap', 'intermediate'],
      ['target-to-trial', 'advanced'],
      ['attention-versus-clinic', 'advanced'],
    ]);
  });
});

describe('the traversals', () => {
  test('take the quotable total from coverage wherever trials are counted', () => {
    const counting = OBJECTIVES.filter(({ traversal }) =>
      traversal.some(({ endpoint }) => endpoint === 'trials-coverage'),
    );
    expect(counting.map(({ id }) => id)).toEqual([...OBJECTIVE_IDS]);
  });
});

describe('the open questions', () => {
  test('are the seven of the interface with effort and related objective, in its order', () => {
    expect(QUESTIONS.map(({ id, effort, relatedObjective }) => [id, effort, relatedObjective ?? 'none'])).toEqual([
      ['modality-vocabulary', 'hours', 'modality-attrition'],
      ['signal-condition-crosswalk', 'hours', 'attention-versus-clinic'],
      ['deduplication-recall', 'sustained', 'none'],
      ['unreported-census', 'sustained', 'reporting-gap'],
      ['index-blind-spot', 'hours', 'none'],
      ['target-to-mechanism', 'sustained', 'none'],
      ['freshness-drift', 'minutes', 'none'],
    ]);
  });

  test('have every text filled and name only calls that exist', () => {
    for (const item of QUESTIONS) {
      const texts = [item.question, item.computeProfile, item.whyUnanswered, item.answerLooksLike, item.falsifiedBy];
      for (const text of [...texts, ...item.approach]) {
        expect(text.length, item.id).toBeGreaterThan(20);
        expect(unknownCallsIn(text), item.id).toEqual([]);
      }
      expect(item.question.endsWith('?'), item.id).toBe(true);
      expect(item.approach.length, item.id).toBeGreaterThanOrEqual(3);
    }
  });
});

test('no text of the standing work quotes a number of trials or promises anything', () => {
  const text = JSON.stringify([ALL, QUESTIONS]);
  expect(text).not.toMatch(/\d[\d,. ]* (?:trials|registrations|studies)\b/);
  expect(text).not.toMatch(/promising|breakthrough|guarantee|best candidate|most likely to (?:work|succeed)/i);
});
