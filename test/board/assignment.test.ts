import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CANDIDATES, type Candidate, isObjective, isQuestion } from '../../board-server/declared-work/declared-work.ts';
import { type CandidateCounts, NO_COUNTS, rank } from '../../board-server/orientation/assignment.ts';
import { ASSIGNMENT_KINDS, OBJECTIVE_LEVELS, QUESTION_EFFORTS } from '../../contract/ids.ts';

const OBJECTIVE: Candidate = {
  kind: 'objective',
  id: 'o',
  title: 'An objective',
  level: 'intermediate',
  effort: 'sustained',
};
const QUESTION: Candidate = { kind: 'question', id: 'q', title: 'A question?', level: 'advanced', effort: 'hours' };

const counts = (liveClaims: number, findings: number, corroborated: number, messages: number): CandidateCounts => ({
  liveClaims,
  findings,
  corroborated,
  messages,
});
const scored = (given: CandidateCounts) => rank([OBJECTIVE], () => given)[0]!;
const deltas = ({ components }: { components: { id: string; delta: number }[] }) =>
  components.map(({ id, delta }) => `${id} ${delta}`);

describe('the score', () => {
  it.each([
    ['nothing yet', counts(0, 0, 0, 0), 100, ['base 100']],
    ['one live claim', counts(1, 0, 0, 0), 60, ['base 100', 'perLiveClaim -40']],
    ['live claims have no floor', counts(4, 0, 0, 0), -60, ['base 100', 'perLiveClaim -160']],
    ['a first finding', counts(0, 1, 0, 0), 96, ['base 100', 'firstFinding -18', 'unreplicatedBonus 14']],
    ['a first finding, corroborated', counts(0, 1, 1, 0), 52, ['base 100', 'firstFinding -18', 'perCorroboration -30']],
    [
      'a second finding',
      counts(0, 2, 0, 0),
      90,
      ['base 100', 'firstFinding -18', 'perExtraFinding -6', 'unreplicatedBonus 14'],
    ],
    [
      'extra findings up to their floor',
      counts(0, 5, 0, 0),
      72,
      ['base 100', 'firstFinding -18', 'perExtraFinding -24', 'unreplicatedBonus 14'],
    ],
    [
      'extra findings past their floor',
      counts(0, 6, 0, 0),
      72,
      ['base 100', 'firstFinding -18', 'perExtraFinding -24', 'unreplicatedBonus 14'],
    ],
    [
      'corroborations up to their floor',
      counts(0, 2, 2, 0),
      16,
      ['base 100', 'firstFinding -18', 'perExtraFinding -6', 'perCorroboration -60'],
    ],
    [
      'corroborations past their floor',
      counts(0, 3, 3, 0),
      10,
      ['base 100', 'firstFinding -18', 'perExtraFinding -12', 'perCorroboration -60'],
    ],
    ['talk that nobody has taken up', counts(0, 0, 0, 1), 108, ['base 100', 'correspondenceBonus 8']],
    ['much talk is worth what little is', counts(0, 0, 0, 90), 108, ['base 100', 'correspondenceBonus 8']],
    ['talk beside a live claim', counts(1, 0, 0, 4), 60, ['base 100', 'perLiveClaim -40']],
    ['talk beside a finding', counts(0, 1, 0, 4), 96, ['base 100', 'firstFinding -18', 'unreplicatedBonus 14']],
    [
      'all at once',
      counts(2, 7, 3, 9),
      -82,
      ['base 100', 'perLiveClaim -80', 'firstFinding -18', 'perExtraFinding -24', 'perCorroboration -60'],
    ],
  ])('%s', (_name, given, score, components) => {
    const candidate = scored(given);
    expect([candidate.score, deltas(candidate)]).toEqual([score, components]);
    expect(candidate).toMatchObject({ ...given, weight: 100, kind: 'objective', id: 'o', title: 'An objective' });
  });

  it.each([
    ['level that an objective has', OBJECTIVE, { level: 'intermediate' }, 125, ['base 100', 'preferenceMatch 25']],
    ['level that an objective has not', OBJECTIVE, { level: 'entry' }, 65, ['base 100', 'preferenceMiss -35']],
    ['effort that an objective has', OBJECTIVE, { effort: 'sustained' }, 125, ['base 100', 'preferenceMatch 25']],
    ['effort that an objective has not', OBJECTIVE, { effort: 'hours' }, 65, ['base 100', 'preferenceMiss -35']],
    ['effort that a question has', QUESTION, { effort: 'hours' }, 125, ['base 100', 'preferenceMatch 25']],
    ['effort that a question has not', QUESTION, { effort: 'minutes' }, 65, ['base 100', 'preferenceMiss -35']],
    ['level that a question has', QUESTION, { level: 'advanced' }, 125, ['base 100', 'preferenceMatch 25']],
    ['level that a question has not', QUESTION, { level: 'entry' }, 65, ['base 100', 'preferenceMiss -35']],
    ['both met', QUESTION, { level: 'advanced', effort: 'hours' }, 150, ['base 100', 'preferenceMatch 50']],
    [
      'one of two met',
      QUESTION,
      { level: 'entry', effort: 'hours' },
      90,
      ['base 100', 'preferenceMatch 25', 'preferenceMiss -35'],
    ],
    ['none of two met', OBJECTIVE, { level: 'entry', effort: 'hours' }, 30, ['base 100', 'preferenceMiss -70']],
  ] as const)('weighs a preference: %s', (_name, candidate, preferences, score, components) => {
    const [only] = rank([candidate], () => NO_COUNTS, preferences);
    expect([only!.score, deltas(only!)]).toEqual([score, components]);
  });
});

describe('the ranking', () => {
  it('holds every objective and question once and no module objective', () => {
    expect(rank(CANDIDATES, () => NO_COUNTS).map(({ id }) => id)).toEqual([
      'map-one-disease',
      'modality-attrition',
      'reporting-gap',
      'target-to-trial',
      'attention-versus-clinic',
      'modality-vocabulary',
      'signal-condition-crosswalk',
      'deduplication-recall',
      'unreported-census',
      'index-blind-spot',
      'target-to-mechanism',
      'freshness-drift',
    ]);
  });

  it('puts higher scores first and keeps the published order among equals', () => {
    const given: Record<string, CandidateCounts> = {
      'map-one-disease': counts(1, 0, 0, 0),
      'reporting-gap': counts(0, 0, 0, 2),
      'freshness-drift': counts(0, 0, 0, 1),
      'target-to-trial': counts(0, 1, 1, 0),
    };
    const order = rank(CANDIDATES, ({ id }) => given[id] ?? NO_COUNTS).map(({ id, score }) => `${id} ${score}`);
    expect(order).toEqual([
      'reporting-gap 108',
      'freshness-drift 108',
      'modality-attrition 100',
      'attention-versus-clinic 100',
      'modality-vocabulary 100',
      'signal-condition-crosswalk 100',
      'deduplication-recall 100',
      'unreported-census 100',
      'index-blind-spot 100',
      'target-to-mechanism 100',
      'map-one-disease 60',
      'target-to-trial 52',
    ]);
  });

  it.each([
    [{ kind: 'objective' }, 5],
    [{ kind: 'question' }, 7],
    [{ kind: 'objective', level: 'advanced' }, 5],
    [{ kind: 'question', effort: 'minutes' }, 7],
    [{ level: 'advanced', effort: 'minutes' }, 12],
    [{ kind: 'objective', effort: 'minutes' }, 5],
    [{ kind: 'objective', level: 'entry', effort: 'minutes' }, 5],
    [{ kind: 'question', level: 'entry' }, 7],
  ] as const)('of %j has %i candidates', (preferences, expected) => {
    expect(rank(CANDIDATES, () => NO_COUNTS, preferences)).toHaveLength(expected);
  });

  const number = fc.nat({ max: 40 });
  const anyCounts = fc
    .record({ liveClaims: number, findings: number, corroborated: number, messages: number })
    .map((given) => ({ ...given, corroborated: Math.min(given.corroborated, given.findings) }));
  const anyPreferences = fc.record(
    {
      kind: fc.constantFrom(...ASSIGNMENT_KINDS),
      level: fc.constantFrom(...OBJECTIVE_LEVELS),
      effort: fc.constantFrom(...QUESTION_EFFORTS),
    },
    { requiredKeys: [] },
  );
  const anyBoard = fc.array(anyCounts, { minLength: CANDIDATES.length, maxLength: CANDIDATES.length });

  it('adds up, is ordered, names no component twice, and is the same for the same inputs', () => {
    const property = fc.property(anyBoard, anyPreferences, (given, preferences) => {
      const countsOf = (candidate: Candidate) => given[CANDIDATES.indexOf(candidate)]!;
      const ranked = rank(CANDIDATES, countsOf, preferences);
      for (const { score, components } of ranked) {
        expect(components.reduce((sum, { delta }) => sum + delta, 0)).toBe(score);
        expect(components.every(({ delta, why }) => delta !== 0 && why.length > 10)).toBe(true);
        expect(new Set(components.map(({ id }) => id)).size).toBe(components.length);
      }
      const place = (id: string) => CANDIDATES.findIndex((candidate) => candidate.id === id);
      const inOrder = ranked.every(({ score, id }, at) => {
        const before = ranked[at - 1];
        return !before || before.score > score || (before.score === score && place(before.id) < place(id));
      });
      expect(inOrder).toBe(true);
      expect(rank(CANDIDATES, countsOf, preferences)).toEqual(ranked);
    });
    fc.assert(property, { seed: 20261121, numRuns: 300 });
  });
});

describe('the catalogue', () => {
  it('accepts module objectives as objectives but never as candidates', () => {
    expect([
      isObjective('map-one-disease'),
      isObjective('virtual-cell-intake'),
      isObjective('freshness-drift'),
    ]).toEqual([true, true, false]);
    expect([isQuestion('freshness-drift'), isQuestion('map-one-disease')]).toEqual([true, false]);
    expect(CANDIDATES.map(({ id }) => id)).not.toContain('virtual-cell-intake');
  });
});
