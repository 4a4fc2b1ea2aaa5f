import { setImmediate } from 'node:timers/promises';
import type { HintCause, HintRecord } from '../../../contract/schemas/trials/hints.ts';
import { classesNamed, excluded, fewer, filtersNamed, keywords, longerNames } from './finding-more.ts';
import { type CountedSearch, FEW_TRIALS, type Hint, type HintedSearch, type HintQuery, otherAddress } from './hint.ts';
import { identifierHints } from './identifier.ts';
import { readingNotices } from './notices.ts';
import { otherNames } from './other-names.ts';
import { spellings } from './spelling.ts';

/** Counts of other requests for one answer. */
const COUNTS_MAX = 40;

interface Cause {
  /** `request`: for every answer; `count`: where trials are counted; `few`: where few are found. */
  needs: 'request' | 'count' | 'few';
  find: (search: CountedSearch) => Hint[] | Promise<Hint[]>;
}

/** Causes in the order in which their hints are listed. */
const CAUSES: Record<HintCause, Cause> = {
  negation: { needs: 'request', find: excluded },
  'longer-name': { needs: 'request', find: longerNames },
  identifier: { needs: 'count', find: identifierHints },
  filter: {
    needs: 'count',
    find: async (search) => [...(await filtersNamed(search)), ...classesNamed(search)],
  },
  'other-name': { needs: 'count', find: otherNames },
  spelling: { needs: 'few', find: spellings },
  fewer: { needs: 'few', find: fewer },
  keyword: { needs: 'few', find: keywords },
};

/** Additions to `_meta`: hints with a call, and sentences without one. */
export async function hintsOf(search: HintedSearch): Promise<{ hints?: HintRecord[]; notices?: string[] }> {
  const { found } = search;
  const hints: HintRecord[] = [];
  const notices = readingNotices(search);
  let counts = 0;
  const countOf = async (query: HintQuery): Promise<number | null> => {
    if (found === null || counts === COUNTS_MAX) return null;
    counts += 1;
    // Other requests are served between two counts.
    await setImmediate();
    return found.countOf(query);
  };
  const total = found?.total ?? 0;
  const isFew = found !== null && total < FEW_TRIALS;
  for (const [cause, { needs, find }] of Object.entries(CAUSES)) {
    if ((found === null && needs !== 'request') || (!isFew && needs === 'few')) continue;
    for (const hint of await find({ ...search, total, isFew, countOf })) {
      const call = hint.changed === undefined ? hint.call : otherAddress(search, hint.changed);
      if (call === undefined) notices.push(hint.sentence);
      else {
        const { sentence, total: brings } = hint;
        hints.push({ cause: cause as HintCause, sentence, ...(brings !== undefined && { total: brings }), call });
      }
    }
  }
  return { ...(hints.length > 0 && { hints }), ...(notices.length > 0 && { notices }) };
}
