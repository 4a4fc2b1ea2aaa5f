import { setImmediate } from 'node:timers/promises';
import { QUERY_MAX_CHARACTERS } from '../../../contract/limits/limits.ts';
import type { OtherReadingRecord } from '../../../contract/schemas/trials/other-readings.ts';
import { operatorsIn } from '../../../snapshot/format/words/query-syntax.ts';
import { textUnits } from '../../../snapshot/format/words/tokens.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { TrialFilters } from '../filters.ts';
import { otherAddress, type SentRequest } from '../hints/other-address.ts';
import { isShortEnough } from '../query-words.ts';
import { conceptQueryOf } from './asked.ts';
import { type ConceptParameter, type ConceptQuery, SEARCHED_FIELDS } from './concept-query.ts';
import { terminologyOf } from './image-terminology.ts';

/**
 * What the words of a text may mean instead: each thing that an ambiguous abbreviation stands for, what is broader than a
 * concept of few trials, and concepts that people take for one another. Each with its count; they change no count.
 */

type AskedFilters = TrialFilters & { match?: 'words' | 'concepts' | undefined };

export interface ReadingsAsked<Asked extends AskedFilters> extends SentRequest {
  image: SnapshotImage;
  query: Asked;
  total: number;
  /** Whether the answer has few trials. */
  isFew: boolean;
  /** Trials of the same request with other filters. */
  countOf: (query: Asked) => Promise<number>;
}

/** Concepts and words of one text that are looked at. */
const PARTS_LOOKED_AT = 3;
/** How far up broader concepts are looked for, and how many of one step are counted. */
const STEPS_UP = 3;
const BROADER_COUNTED = 3;

/** Another text in place of some words of a parameter. */
interface Candidate extends Pick<OtherReadingRecord, 'parameter' | 'words' | 'relation' | 'concept' | 'heading'> {
  instead: string;
}

/** By words, only an answer with few trials is given any: its caller asked for the words. */
export async function otherReadings<Asked extends AskedFilters>(
  asked: ReadingsAsked<Asked>,
): Promise<{ otherReadings?: OtherReadingRecord[]; notices?: string[] }> {
  const { image, query, isFew } = asked;
  const terminology = terminologyOf(image);
  if (!isFew && query.match !== 'concepts') return {};
  const found: OtherReadingRecord[] = [];
  for (const parameter of Object.keys(SEARCHED_FIELDS) as ConceptParameter[]) {
    const text = query[parameter];
    const read = text === undefined ? null : conceptQueryOf(image, text, parameter);
    if (text === undefined || read === null) continue;
    const counted = (candidates: readonly Candidate[]) => countEach(candidates, { ...asked, text });
    found.push(...(await counted(meanings(read, terminology, parameter))));
    for (const [words, concept] of conceptsOf(read).slice(0, PARTS_LOOKED_AT)) {
      const of = { parameter, words, terminology };
      if (isFew) found.push(...(await broaderWithMore(concept, of, counted, asked.total)));
      const isNew = (one: Candidate): boolean => !found.some((known) => known.concept === one.concept);
      const related = await counted(terminology.relatedTo(concept).flatMap(relatedNot(concept, of)).filter(isNew));
      found.push(...related.filter(({ total }) => total > 0));
    }
  }
  const notices = meaningNotices(found, query.match);
  return { ...(found.length > 0 && { otherReadings: found }), ...(notices.length > 0 && { notices }) };
}

function conceptsOf({ clauses }: ConceptQuery): [words: string, concept: number][] {
  return clauses.flatMap(({ reading }) => (reading.kind === 'concept' ? [[reading.words, reading.concept]] : []));
}

/** Words that no concept has because they mean several; in small letters only where they are all that is asked for. */
function meanings({ clauses }: ConceptQuery, terminology: Terminology, parameter: ConceptParameter): Candidate[] {
  return clauses.slice(0, PARTS_LOOKED_AT).flatMap(({ reading }): Candidate[] => {
    if (reading.kind !== 'words' && reading.kind !== 'names') return [];
    const { words } = reading;
    const exact = terminology.meaningsOf(words);
    const means = exact.length > 0 || clauses.length > 1 ? exact : terminology.meaningsOf(words.toUpperCase());
    return means.map((instead) => {
      const [found] = terminology.recognise(textUnits(instead), instead);
      const named = found && terminology.concepts[found.concept];
      const { id = null, heading = null } = found?.to === textUnits(instead).length ? (named ?? {}) : {};
      return { parameter, words, relation: 'may-mean', concept: id, heading, instead };
    });
  });
}

interface Of {
  parameter: ConceptParameter;
  words: string;
  terminology: Terminology;
}

/** The nearest broader concepts where any of them finds more; else those above them. */
async function broaderWithMore(
  concept: number,
  of: Of,
  counted: (candidates: readonly Candidate[]) => Promise<OtherReadingRecord[]>,
  total: number,
): Promise<OtherReadingRecord[]> {
  const { terminology } = of;
  let left = terminology.broaderOf(concept);
  for (let step = 0; step < STEPS_UP && left.length > 0; step++) {
    const above = new Set(left.flatMap((one) => terminology.broaderOf(one)));
    const nearest = left.filter((one) => !above.has(one));
    const found = await counted(nearest.slice(0, BROADER_COUNTED).flatMap((one) => candidateOf(one, 'broader', of)));
    const more = found.filter((one) => one.total > total);
    if (more.length > 0) return more;
    left = left.filter((one) => above.has(one));
  }
  return [];
}

/** What is narrower than the concept is found by it already. */
function relatedNot(concept: number, of: Of): (other: number) => Candidate[] {
  return (other) => (of.terminology.broaderOf(other).includes(concept) ? [] : candidateOf(other, 'related', of));
}

/** The concept by its heading, or another name of it that is read as it; none where no name is. */
function candidateOf(concept: number, relation: OtherReadingRecord['relation'], of: Of): Candidate[] {
  const { parameter, words, terminology } = of;
  const { id, heading } = terminology.concepts[concept]!;
  const names = [heading, ...terminology.namesOf(concept).map(({ term }) => term)];
  const instead = names.find((name) => {
    const units = textUnits(name);
    const [found] = terminology.recognise(units, name);
    return found?.concept === concept && found.from === 0 && found.to === units.length;
  });
  return instead === undefined ? [] : [{ parameter, words, relation, concept: id, heading, instead }];
}

/** Those whose text the service would refuse, since it is too long, are left out. */
async function countEach<Asked extends AskedFilters>(
  candidates: readonly Candidate[],
  { text, ...asked }: ReadingsAsked<Asked> & { text: string },
): Promise<OtherReadingRecord[]> {
  const found: OtherReadingRecord[] = [];
  for (const { instead, ...candidate } of candidates) {
    const { parameter, words } = candidate;
    const value = withInstead(text, words, instead);
    if (value === null || value.length > QUERY_MAX_CHARACTERS || !isShortEnough(value)) continue;
    // Other requests are served between two counts.
    await setImmediate();
    const total = await asked.countOf({ ...asked.query, [parameter]: value, match: 'concepts' });
    found.push({ ...candidate, value, total, call: otherAddress(asked, { [parameter]: value, match: 'concepts' }) });
  }
  return found;
}

/** The text with other words in place of some; null where they do not stand in it as they were read. */
function withInstead(text: string, words: string, instead: string): string | null {
  if (text.trim() === words) return instead;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(words)}(?![\\p{L}\\p{N}])`, 'u');
  if (!pattern.test(text)) return null;
  const grouped = operatorsIn(text).length > 0 && /\s/.test(instead) ? `(${instead})` : instead;
  return text.replace(pattern, () => grouped);
}

function meaningNotices(found: readonly OtherReadingRecord[], match = 'words'): string[] {
  const byWords = Map.groupBy(
    found.filter(({ relation }) => relation === 'may-mean'),
    ({ words }) => words,
  );
  return Array.from(byWords, ([words, means]) => {
    const each = means.map(({ value, total }) => `“${value}” (${total === 1 ? '1 trial' : `${total} trials`})`);
    const read = match === 'concepts' ? 'was matched as a word alone' : 'was matched as a word';
    return `“${words}” has more than one meaning and ${read}. By concepts: ${each.join(', ')}.`;
  });
}
