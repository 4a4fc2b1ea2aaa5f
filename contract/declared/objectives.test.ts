import { describe, expect, test } from 'vitest';
import { callsIn, unknownCallsIn } from '../../test/support/contract-texts.ts';
import { CATALOGUE_IDS, GRAPH_NODE_IDS, MODULE_OBJECTIVE_IDS, OBJECTIVE_IDS, QUESTION_IDS } from '../ids.ts';
import { OPERATIONS } from '../operations.ts';
import { MODULE_OBJECTIVES, OBJECTIVES } from './objectives.ts';
import { QUESTIONS } from './questions.ts';

const ALL = [...OBJECTIVES, ...MODULE_OBJECTIVES];
const STEPS = ALL.flatMap((objective) => objective.traversal.map((step) => ({ objective: objective.id, ...step })));

/** For each parameter, the values with which a read answers on any snapshot. Objectives may use no other parameter. */
const USABLE: Record<string, (value: string) => boolean> = {
  q: (value) => value.length > 0 && value.length <= 500,
  intervention: (value) => value.length > 0,
  disease: (value) => value.length > 0,
  status: (value) => ['active', 'completed', 'terminated', 'withdrawn', 'received'].includes(value),
  resultsAvailable: (value) => ['true', 'false'].includes(value),
  pageSize: (value) => Number(value) >= 1 && Number(value) <= 100,
  days: (value) => Number(value) >= 1 && Number(value) <= 120,
  include: (value) =>
    value.split(',').every((part) => ['trials', 'research', 'stats', 'signal', 'crypto'].includes(part)),
  stage: (value) => ['at-risk', 'prevention', 'new-onset', 'established', 'unspecified'].includes(value),
  objectiveId: (value) => [...OBJECTIVE_IDS, ...MODULE_OBJECTIVE_IDS].some((id) => id === value),
  questionId: (value) => QUESTION_IDS.some((id) => id === value),
};

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

  test('of modules are listed apart', () => {
    expect(MODULE_OBJECTIVES.map(({ id }) => id)).toEqual(['virtual-cell-intake']);
  });

  test('have every text filled, and ask for a finding under their own id', () => {
    for (const objective of ALL) {
      for (const field of ['title', 'mandate', 'whyItMatters', 'deliverable', 'reporting', 'openQuestion'] as const)
        expect(objective[field].length, `${objective.id} ${field}`).toBeGreaterThan(10);
      expect(objective.reporting).toContain(`POST /api/v1/findings under objectiveId ${objective.id}.`);
    }
  });

  test('name as open question the one that names them, else a question in words', () => {
    expect(
      ALL.map(({ id, openQuestion }) => [id, QUESTION_IDS.find((known) => known === openQuestion) ?? 'in words']),
    ).toEqual([
      ['map-one-disease', 'in words'],
      ['modality-attrition', 'modality-vocabulary'],
      ['reporting-gap', 'unreported-census'],
      ['target-to-trial', 'in words'],
      ['attention-versus-clinic', 'signal-condition-crosswalk'],
      ['virtual-cell-intake', 'in words'],
    ]);
    for (const { openQuestion } of ALL)
      expect(openQuestion.endsWith('?') || QUESTION_IDS.some((id) => id === openQuestion), openQuestion).toBe(true);
  });
});

describe('the traversals', () => {
  test('have five steps or more', () => {
    for (const { id, traversal } of ALL) expect(traversal.length, id).toBeGreaterThanOrEqual(5);
  });

  test('print one call a step, whole, without blanks to fill, on the path of its catalogue id', () => {
    for (const { objective, endpoint, call } of STEPS) {
      expect(call, objective).toMatch(/^GET \/api\/v1\/[^\s{}]+$/);
      const [parsed, ...others] = callsIn(call);
      expect(others).toEqual([]);
      expect(parsed?.path, call).toBe(OPERATIONS.find(({ catalogueId }) => catalogueId === endpoint)?.path);
    }
  });

  test('use only parameters and values under which the read answers', () => {
    for (const { call, why } of STEPS) {
      expect(unknownCallsIn(call)).toEqual([]);
      expect(unknownCallsIn(why)).toEqual([]);
      for (const [name, value] of callsIn(call)[0]?.query ?? [])
        expect(USABLE[name]?.(value), `${name}=${value} in ${call}`).toBe(true);
    }
  });

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

  test('name endpoints and nodes that exist, none twice', () => {
    for (const { id, endpoints, relatedNode } of QUESTIONS) {
      expect(endpoints.length, id).toBeGreaterThan(0);
      expect(new Set(endpoints).size, id).toBe(endpoints.length);
      for (const endpoint of endpoints) expect(CATALOGUE_IDS, id).toContain(endpoint);
      expect(GRAPH_NODE_IDS, id).toContain(relatedNode);
    }
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
