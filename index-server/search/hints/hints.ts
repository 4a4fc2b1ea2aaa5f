import { setImmediate } from 'node:timers/promises';
import { asksForAdvice, NO_CLINICAL_ADVICE } from '../../../contract/clinical-advice.ts';
import type { HintCause, HintRecord } from '../../../contract/schemas/trials/hints.ts';
import { unstatedNotices } from '../counting/stated-fields.ts';
import { classesNamed, fewer, filtersNamed, keywords, otherNames, spellings } from './finding-more.ts';
import { type CountedSearch, FEW_TRIALS, type Hint, type HintedSearch, type HintQuery } from './hint.ts';
import { contradictions, days, excluded, longerNames, noEffect, operators, places } from './how-read.ts';
import { identifierHints, isIdentifier } from './identifier.ts';
import { otherAddress } from './other-address.ts';

/** Counts of other requests for one answer. */
const COUNTS_MAX = 40;

type Find<Search> = (search: Search) => Hint[] | Promise<Hint[]>;

/** Causes of how the request was read, whatever it finds, in the order in which they are told. */
const HOW_READ: Partial<Record<HintCause, Find<HintedSearch>>> = {
  'clinical-advice': ({ query: { q, condition, intervention } }) =>
    asksForAdvice([q, condition, intervention].join(' ')) ? [{ sentence: NO_CLINICAL_ADVICE }] : [],
  negation: excluded,
  place: places,
  contradiction: contradictions,
  'no-effect': noEffect,
  days,
  'not-stated': ({ image, manifest, query, sources }) => {
    // The words of a number are no text that a registry could state.
    const stated = isIdentifier(query.q ?? '') ? { ...query, q: undefined } : query;
    return unstatedNotices({ image, manifest }, stated, sources).map((sentence) => ({ sentence }));
  },
  operators,
  'longer-name': longerNames,
};

/** Causes that count other requests; all but the first three only where few trials are found. */
const FINDING_MORE: Partial<Record<HintCause, Find<CountedSearch>>> = {
  identifier: identifierHints,
  filter: async (search) => [...(await filtersNamed(search)), ...(await classesNamed(search))],
  'other-name': otherNames,
  spelling: (search) => (search.isFew ? spellings(search) : []),
  fewer: (search) => (search.isFew ? fewer(search) : []),
  keyword: (search) => (search.isFew ? keywords(search) : []),
};

/** Additions to `_meta`: hints with a call, and the sentences of the others. */
export async function hintsOf(search: HintedSearch): Promise<{ hints?: HintRecord[]; notices?: string[] }> {
  const hints: HintRecord[] = [];
  const notices: string[] = [];
  const add = (cause: string, { sentence, changed, call, total }: Hint): void => {
    const path = changed === undefined ? call : otherAddress(search, changed);
    if (path === undefined) notices.push(sentence);
    else hints.push({ cause: cause as HintCause, sentence, ...(total !== undefined && { total }), call: path });
  };
  for (const [cause, find] of Object.entries(HOW_READ)) for (const hint of await find(search)) add(cause, hint);
  const { found } = search;
  if (found !== null) {
    let counts = 0;
    const countOf = async (query: HintQuery): Promise<number | null> => {
      if (counts === COUNTS_MAX) return null;
      counts += 1;
      // Other requests are served between two counts.
      await setImmediate();
      return found.countOf(query);
    };
    const counted = { ...search, total: found.total, isFew: found.total < FEW_TRIALS, countOf };
    for (const [cause, find] of Object.entries(FINDING_MORE)) for (const hint of await find(counted)) add(cause, hint);
  }
  return { ...(hints.length > 0 && { hints }), ...(notices.length > 0 && { notices }) };
}
