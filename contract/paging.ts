import { CURSOR_MAX_CHARACTERS, LIST_MAX_ITEMS, OFFSET_MAX_ITEMS } from './limits.ts';
import { integerParameter, textParameter } from './parameters.ts';

/** What the refusal of a cursor says was expected. */
export const CURSOR_EXPECTED = 'pagination.nextCursor of an earlier answer to the same call and filters, unchanged';

/** The parameters by which every list of the board is paged. */
export function pageParameters(what: string, defaultItems: number) {
  return {
    limit: integerParameter(1, LIST_MAX_ITEMS, `${what} a page.`).default(defaultItems),
    offset: integerParameter(0, OFFSET_MAX_ITEMS, `${what} to pass over; ignored where cursor is given.`).default(0),
    cursor: textParameter(
      CURSOR_MAX_CHARACTERS,
      'pagination.nextCursor of the answer before, sent with the same filters: goes on after its last row, so that what is posted meanwhile is neither repeated nor skipped.',
      { test: /^[A-Za-z0-9_-]+$/, words: CURSOR_EXPECTED },
    ).optional(),
  };
}
