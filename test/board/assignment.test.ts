import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CANDIDATES, type Candidate, isObjective, isQuestion } from '../../board-server/declared-work/declared-work.ts';
import { type CandidateCounts, NO_COUNTS, rank } from '../../board-server/orientation/assignment.ts';
import { ASSIGNMENT_KINDS, OBJECTIVE_LEVELS, QUESTION_EFFORTS } from '../../contract/ids.ts';

type Preferences = NonNullable<Parameters<typeof rank>[2]>;

const counts = (liveClaims: number, findings: number, corroborated: number, messages: number): CandidateCounts => ({
  liveClaims,
  findings,
  corroborated,
  messages,
});
/** The published arithmetic again, sentence by sentence. */
function plainly(
  given: CandidateCounts,
  { level, effort }: Candidate,
  preferences: Preferences,
): Record<string, number> {
  const { liveClaims, findings, corroborated, messages } = given;
  const wanted = [
    ...(preferences.level === undefined ? [] : [preferences.level === level]),
    ...(preferences.effort === undefined ? [] : [preferences.effort === effort]),
  ];
  const parts = {
    base: 100,
    perLiveClaim: -40 * liveClaims,
    firstFinding: findings > 0 ? -18 : 0,
    perExtraFinding: -Math.min(24, 6 * Math.max(0, findings - 1)),
    unreplicatedBonus: findings > 0 && corroborated === 0 ? 14 : 0,
    perCorroboration: -Math.min(60, 30 * corroborated),
    correspondenceBonus: messages > 0 && findings === 0 && liveClaims === 0 ? 8 : 0,
    preferenceMatch: 25 * wanted.filter(Boolean).length,
    preferenceMiss: -35 * wanted.filter((met) => !met).length,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, delta]) => delta !== 0));
}

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

  const number = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 40 }));
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
      for (const { id, score, components } of ranked) {
        const candidate = CANDIDATES.find((one) => one.id === id)!;
        const expected = plainly(countsOf(candidate), candidate, preferences);
        expect(Object.fromEntries(components.map((one) => [one.id, one.delta]))).toEqual(expected);
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
