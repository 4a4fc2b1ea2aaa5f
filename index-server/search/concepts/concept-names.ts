import { POSTING } from '../../../snapshot-format/serving-columns.ts';
import type { TextUnit } from '../../../snapshot-format/tokens.ts';
import { writingsOf } from '../../../terminology/fold.ts';
import type { NamingPhrase, Terminology } from '../../../terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { Requirement } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { addsTo, rowsMeeting } from '../matching.ts';
import { withPhrase } from '../phrases.ts';
import { intersect, type RowSet, union, without } from '../row-set.ts';
import { studiedName } from './studied-words.ts';

/**
 * The names of a concept as words of any text but the sponsor's name. By whichever name a concept is asked for, all of them
 * count: a trial of "portal hypertension" is found by hypertension, and so by high blood pressure.
 */

/** A name that some trials have as words without being about the concept. */
export interface NameInText {
  /** As its source writes it. */
  term: string;
  units: TextUnit[];
  requirement: Requirement;
}

export interface ConceptNames {
  /** In the order of the terminology. */
  inText: readonly NameInText[];
  /** Trials whose sponsor's name has a name of the concept, and that are not found by it. */
  inSponsor: number;
  /** Whether these words are a name that counts in any case: then `inText` and the concept have all that they find. */
  covers(units: readonly TextUnit[]): boolean;
}

/**
 * A name that counts in its case alone (AIDS) is another word in lower case (hearing aids), and texts are searched without case. It
 * counts as words for the other names where at least this share of the trials with the word are about the concept.
 */
const LEAST_SHARE = 1 / 2;
/** Writings of one phrase; a name with more Greek letters and numbers than that is hardly written in all these ways. */
const WRITINGS_MAX = 8;
const KEPT_CONCEPTS = 5000;

const kept = new ImageCache<ConceptNames>(KEPT_CONCEPTS);

export function conceptNames(image: SnapshotImage, terminology: Terminology, concept: number): ConceptNames {
  const { id } = terminology.concepts[concept]!;
  const known = kept.get(image, id);
  if (known !== undefined) return known;
  const made = readNames(image, terminology, concept, POSTING.concept + id);
  kept.set(image, id, made);
  return made;
}

interface Form {
  term: string;
  keys: string[];
}

function readNames(image: SnapshotImage, terminology: Terminology, concept: number, about: string): ConceptNames {
  const phrases = terminology.phrasesOf(concept).filter((one) => !one.caseSensitive || isMostlyIt(image, one, about));
  const forms = new Map<string, Form>();
  for (const { tokens, term } of phrases) {
    for (const keys of writingsOfPhrase(tokens)) {
      const key = keys.join(' ');
      if (!forms.has(key)) forms.set(key, { term, keys });
    }
  }
  const inText = shortest(forms).flatMap(({ term, keys }): NameInText[] => {
    const units = keys.map((key): TextUnit => ({ kind: 'word', key }));
    const requirement = studiedName(image, units);
    return addsTo(image, about, requirement) ? [{ term, units, requirement }] : [];
  });
  const covers = (units: readonly TextUnit[]): boolean =>
    units.every(({ kind }) => kind === 'word') &&
    forms.has(units.map((unit) => (unit.kind === 'word' ? unit.key : '')).join(' '));
  const found: Requirement = { anyOf: [about, ...inText.map(({ requirement }) => requirement)] };
  return { inText, inSponsor: inSponsorOnly(image, shortest(forms), found), covers };
}

function inSponsorOnly(image: SnapshotImage, forms: readonly Form[], found: Requirement): number {
  const named = forms.flatMap(({ keys }): RowSet[] => {
    const words = keys.map((key) => image.posting(POSTING.sponsor + key));
    if (!words.every((rows) => rows !== null)) return [];
    const rows = intersect(words);
    const units = keys.map((key): TextUnit => ({ kind: 'word', key }));
    return [units.length === 1 ? rows : withPhrase(image, rows, units)];
  });
  const rows = union(named, image.trials);
  return rows.count === 0 ? 0 : without(rows, rowsMeeting(image, found)).count;
}

function isMostlyIt(image: SnapshotImage, { tokens }: NamingPhrase, about: string): boolean {
  const units = tokens.map((key): TextUnit => ({ kind: 'word', key }));
  const requirement = studiedName(image, units);
  const [having, meant] = [rowsMeeting(image, requirement), rowsMeeting(image, about)];
  return having.count > 0 && intersect([having, meant]).count >= having.count * LEAST_SHARE;
}

/** The keys under which texts have a phrase: with Roman numerals, Greek letters and "of the" too. */
function writingsOfPhrase(tokens: readonly string[]): string[][] {
  let all: string[][] = [[]];
  for (const [place, token] of tokens.entries()) {
    const ways = writingsOf(token, tokens[place - 1] ?? '').map((way) => [way]);
    if (token === 'of') ways.push(['of', 'the']);
    all = all.flatMap((before) => ways.map((way) => [...before, ...way])).slice(0, WRITINGS_MAX);
  }
  return all;
}

/** A text that has "arterial hypertension" has hypertension: forms that hold another find nothing more. */
function shortest(forms: ReadonlyMap<string, Form>): Form[] {
  return [...forms.values()].filter(({ keys }) => !holdsAnother(keys, forms));
}

function holdsAnother(keys: readonly string[], forms: ReadonlyMap<string, Form>): boolean {
  for (let from = 0; from < keys.length; from++) {
    for (let to = from + 1; to <= keys.length; to++) {
      if (to - from < keys.length && forms.has(keys.slice(from, to).join(' '))) return true;
    }
  }
  return false;
}
