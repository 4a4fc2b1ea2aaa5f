import { phaseAsked, statusAsked } from '../../../contract/fields/registry-words.ts';
import { PHASES } from '../../../contract/vocabularies.ts';
import { askedCountry } from './countries.ts';

/** Words of a query that name a country, a status, a phase or a city. */

/** Statuses that people name in a question; others are more often ordinary words. */
const STATUSES_NAMED = [
  'recruiting',
  'not_yet_recruiting',
  'active_not_recruiting',
  'completed',
  'terminated',
  'withdrawn',
  'suspended',
];
/** A country or a status has up to three words; a phase has two. */
const VALUE_MAX_WORDS = 3;

/** Abbreviations that are no other words, so that they count in any case. Other codes count in capitals alone: "in" and "us" are words. */
const ABBREVIATION = /^(?:the )?(?:uk|usa|uae|nz|u\.k|u\.s)$|^the us$/i;
const CODE = /^(?:the )?[A-Z]{2,3}$/;
/** The length of a code. An article makes no code a name: in "the er" nobody means Eritrea. */
const CODE_ONLY = /^(?:the )?.{1,3}$/i;

export type NamedFilter = { parameter: 'country' | 'status' | 'phase' | 'sitePlace'; value: string };

/** The filter that these words name; null where they name none, or could as well be ordinary words. */
export function filterNamed(words: string): NamedFilter | null {
  const status = statusAsked(words);
  if (STATUSES_NAMED.includes(status)) return { parameter: 'status', value: status };
  const phase = /^phase/i.test(words) ? phaseAsked(words) : '';
  if ((PHASES as readonly string[]).includes(phase)) return { parameter: 'phase', value: phase };
  const isName = !CODE_ONLY.test(words) || CODE.test(words) || ABBREVIATION.test(words);
  const country = isName ? askedCountry(words) : null;
  return country === null ? null : { parameter: 'country', value: country };
}

export interface ReadFilters {
  rest: string[];
  filters: Partial<Record<NamedFilter['parameter'], string>>;
}

/** The pieces of a query, without those that name a filter that the request does not have yet; cities where they are known. */
export function readFiltersIn(
  pieces: readonly string[],
  given: ReadonlySet<string>,
  isCity: (words: string) => boolean = () => false,
): ReadFilters {
  const read: ReadFilters = { rest: [], filters: {} };
  for (let at = 0; at < pieces.length; ) {
    let taken = 0;
    for (let length = Math.min(VALUE_MAX_WORDS, pieces.length - at); length > 0 && taken === 0; length--) {
      const words = bare(pieces.slice(at, at + length).join(' '));
      const named = filterNamed(words) ?? (isCity(words) ? ({ parameter: 'sitePlace', value: words } as const) : null);
      if (named === null || given.has(named.parameter) || read.filters[named.parameter] !== undefined) continue;
      read.filters[named.parameter] = named.value;
      taken = length;
    }
    if (taken === 0) read.rest.push(pieces[at]!);
    at += Math.max(taken, 1);
  }
  return read;
}

/** Without the signs that end a sentence. */
export function bare(words: string): string {
  return words.replace(/(?<![?.,;:!])[?.,;:!]+$/, '');
}
