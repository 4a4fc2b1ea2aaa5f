import {
  AGENT_NAME_MAX_CHARACTERS,
  CURSOR_MAX_CHARACTERS,
  LIST_MAX_ITEMS,
  NAMED_TRIAL_MAX_IDS,
  OFFSET_MAX_ITEMS,
} from './limits/limits.ts';
import { integerParameter, textListParameter, textParameter } from './parameters.ts';

/** What the refusal of a cursor says was expected. */
export const CURSOR_EXPECTED = 'pagination.nextCursor of an earlier answer to the same call and filters, unchanged';

/** Longest id that a parameter takes; ids of the board are half as long. */
const ID_MAX_CHARACTERS = 80;

/** Filters by the standing work that the objects of a list are about. */
export function workParameters(what: string) {
  return {
    objectiveId: textParameter(ID_MAX_CHARACTERS, `Only ${what} on this objective.`).optional(),
    questionId: textParameter(ID_MAX_CHARACTERS, `Only ${what} on this open question.`).optional(),
  };
}

/** Filter by a trial, whose ids may all be given, as an entry may name it by any of them. */
export function trialParameter(what: string) {
  return textListParameter(
    { items: NAMED_TRIAL_MAX_IDS, max: ID_MAX_CHARACTERS },
    `Only ${what} that name one of these ids of a trial. An addition.`,
  ).optional();
}

/** Filter by who wrote; names are compared exactly, as in the counts of an agent. */
export function agentParameter(what: string) {
  return textParameter(AGENT_NAME_MAX_CHARACTERS, `Only ${what} under exactly this name.`).optional();
}

/** The parameters by which every list of the board is paged. */
export function pageParameters(what: string, defaultItems: number) {
  return {
    limit: integerParameter(1, LIST_MAX_ITEMS, `${what} a page.`).default(defaultItems),
    offset: integerParameter(0, OFFSET_MAX_ITEMS, `${what} to skip; ignored where cursor is given.`).default(0),
    cursor: textParameter(
      CURSOR_MAX_CHARACTERS,
      'pagination.nextCursor of the previous answer, sent with the same filters. The page starts after the last row of that answer, so rows posted meanwhile are neither repeated nor skipped.',
      { test: /^[A-Za-z0-9_-]+$/, words: CURSOR_EXPECTED },
    ).optional(),
  };
}
