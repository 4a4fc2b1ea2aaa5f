import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CANDIDATES, type Candidate } from '../../board-server/declared-work/declared-work.ts';
import { type CandidateCounts, NO_COUNTS, rank } from '../../board-server/orientation/assignment.ts';
import { ASSIGNMENT_KINDS, OBJECTIVE_LEVELS, QUESTION_EFFORTS } from '../../contract/ids.ts';

type Preferences = NonNullable<Parameters<typeof rank>[2]>;

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
    const objectives = 'map-one-disease modality-attrition reporting-gap target-to-trial attention-versus-clinic';
    const questions = 'modality-vocabulary signal-condition-crosswalk deduplication-recall unreported-census';
    const ids = `${objectives} ${questions} index-blind-spot target-to-mechanism freshness-drift`;
    expect(rank(CANDIDATES, () => NO_COUNTS).map(({ id }) => id)).toEqual(ids.split(' '));
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
      // A level or an effort raises a candidate and leaves none out.
      const fitting = CANDIDATES.filter(({ kind }) => preferences.kind === undefined || preferences.kind === kind);
      expect(ranked).toHaveLength(fitting.length);
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
