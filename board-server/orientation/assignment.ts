import type { AssignmentKind, ObjectiveLevel, QuestionEffort } from '../../contract/ids.ts';
import { ASSIGNMENT_WEIGHTS as WEIGHTS } from '../../contract/limits/limits.ts';
import type { AssignmentCandidate, AssignmentComponent } from '../../contract/schemas/board/assignment.ts';
import type { Candidate } from '../declared-work/declared-work.ts';

/** The published arithmetic of the assignment: a pure function over counts. */

/** What the board holds of one candidate. */
export interface CandidateCounts {
  /** Claims in state active whose lease has not run out. */
  liveClaims: number;
  /** Findings that were not withdrawn. */
  findings: number;
  /** Those of them whose status is corroborated. */
  corroborated: number;
  /** Messages on the candidate's own thread. */
  messages: number;
}

interface AssignmentPreferences {
  kind?: AssignmentKind | undefined;
  level?: ObjectiveLevel | undefined;
  effort?: QuestionEffort | undefined;
}

export const NO_COUNTS: CandidateCounts = { liveClaims: 0, findings: 0, corroborated: 0, messages: 0 };

/**
 * Every candidate that the preferences leave, highest score first, ties in the order given. `kind` is a filter; `level`
 * and `effort` weigh what is left, whatever kind it is of.
 */
export function rank(
  candidates: readonly Candidate[],
  countsOf: (candidate: Candidate) => CandidateCounts,
  preferences: AssignmentPreferences = {},
): AssignmentCandidate[] {
  return candidates
    .filter(({ kind }) => preferences.kind === undefined || kind === preferences.kind)
    .map((candidate) => score(candidate, countsOf(candidate), preferences))
    .sort((a, b) => b.score - a.score);
}

function score(candidate: Candidate, counts: CandidateCounts, preferences: AssignmentPreferences): AssignmentCandidate {
  const components = [...countComponents(counts), ...preferenceComponents(candidate, preferences)];
  const { kind, id, title, level, effort, origin } = candidate;
  const total = components.reduce((sum, { delta }) => sum + delta, 0);
  return {
    kind,
    id,
    title,
    level,
    effort,
    ...(origin === undefined ? {} : { origin }),
    weight: WEIGHTS.base,
    score: total,
    components,
    ...counts,
  };
}

/** In fixed order; a component that would be zero is left out, the base never. */
function countComponents({ liveClaims, findings, corroborated, messages }: CandidateCounts): AssignmentComponent[] {
  const components: AssignmentComponent[] = [
    { id: 'base', delta: WEIGHTS.base, why: 'Every candidate starts from the same base.' },
  ];
  const add = (id: AssignmentComponent['id'], delta: number, why: string): void => {
    components.push({ id, delta, why });
  };
  if (liveClaims > 0) {
    const why = `${counted(liveClaims, 'live claim')} on it: work is under way. A claim reserves nothing.`;
    add('perLiveClaim', liveClaims * WEIGHTS.perLiveClaim, why);
  }
  if (findings > 0) add('firstFinding', WEIGHTS.firstFinding, 'At least one finding is published.');
  if (findings > 1) {
    const delta = Math.max((findings - 1) * WEIGHTS.perExtraFinding, WEIGHTS.extraFindingFloor);
    add(
      'perExtraFinding',
      delta,
      `${counted(findings - 1, 'finding')} beyond the first; at most ${WEIGHTS.extraFindingFloor} in all.`,
    );
  }
  if (findings > 0 && corroborated === 0) {
    add(
      'unreplicatedBonus',
      WEIGHTS.unreplicatedBonus,
      'None of its findings is corroborated yet: repeating one is worth more.',
    );
  }
  if (corroborated > 0) {
    const delta = Math.max(corroborated * WEIGHTS.perCorroboration, WEIGHTS.corroborationFloor);
    add(
      'perCorroboration',
      delta,
      `${counted(corroborated, 'corroborated finding')}; at most ${WEIGHTS.corroborationFloor} in all.`,
    );
  }
  if (messages > 0 && liveClaims === 0 && findings === 0) {
    const why = `${counted(messages, 'message')} on it, but no live claim and no finding: talked about, not taken up.`;
    add('correspondenceBonus', WEIGHTS.correspondenceBonus, why);
  }
  return components;
}

/** A weight counts once for each preference that it is about, as that of live claims does for each claim. */
function preferenceComponents(candidate: Candidate, preferences: AssignmentPreferences): AssignmentComponent[] {
  const wanted = (['level', 'effort'] as const).filter((name) => preferences[name] !== undefined);
  const met = wanted.filter((name) => preferences[name] === candidate[name]);
  const missed = wanted.filter((name) => !met.includes(name));
  const say = (names: typeof wanted): string => names.map((name) => `${name} is ${candidate[name]}`).join(' and its ');
  const asked = missed.map((name) => preferences[name]).join(' and ');
  const [match, miss] = [met.length * WEIGHTS.preferenceMatch, missed.length * WEIGHTS.preferenceMiss];
  return [
    ...(met.length > 0
      ? [{ id: 'preferenceMatch' as const, delta: match, why: `Its ${say(met)}, as you prefer.` }]
      : []),
    ...(missed.length > 0
      ? [{ id: 'preferenceMiss' as const, delta: miss, why: `Its ${say(missed)}; you prefer ${asked}.` }]
      : []),
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
