import { TEXTS_READ } from '../../contract/trial-filters.ts';
import { isObject, isStated, type JsonObject, objectOf, objectsOf, textsOf } from './json.ts';

/**
 * What a concise `_meta` says of how the words and filters were read, and what would find more, as sentences. Members in their
 * whole form, as with detail=full, are left to the outline.
 */
export function matchingLines(meta: JsonObject): { lines: string[]; told: string[] } {
  const match = isObject(meta.matching) ? 'concepts' : 'words';
  const lines = Object.entries(LINES).flatMap(([name, line]) => {
    const said = line(meta[name], match);
    return said === null ? [] : [{ name, said }];
  });
  return { lines: lines.flatMap(({ said }) => said), told: lines.map(({ name }) => name) };
}

const LINES: Readonly<Record<string, (value: unknown, match: keyof typeof TEXTS_READ) => string[] | null>> = {
  readAs: (value) => (isObject(value) ? [`Read as: ${pairsOf(value)}.`] : null),
  alsoMatching: (value) => {
    const { distinct, total, because } = objectOf(value);
    if (!isObject(value) || objectsOf(because).length > 0) return null;
    const words = textsOf(because).join('; ');
    const reading = words === '' ? '' : ` (${words})`;
    return Number(distinct) > 0
      ? [`With match=concepts: ${total} trials, ${distinct} of them new${reading}.`]
      : [`match=concepts finds no further trials${reading}.`];
  },
  fewResults: (value, match) => (isObject(value) && !('total' in value) ? fewLines(value, match) : null),
  otherReadings: (value) => {
    const readings = textsOf(value);
    return readings.length === 0 ? null : readings.map((reading) => `Another reading, ${reading} trials.`);
  },
};

function fewLines({ without, rather, spelling, keyword }: JsonObject, match: keyof typeof TEXTS_READ): string[] {
  const dearest = textsOf(without).map((each) => {
    const at = each.lastIndexOf(': ');
    return `${each.slice(at + 2)} trials without ${each.slice(0, at)}`;
  });
  const { total, ...suggested } = objectOf(rather);
  return [
    ...(dearest.length > 0 ? [`Few trials match all of it. There are ${dearest.join(', ')}.`] : []),
    ...(isObject(rather) ? [`Rather ask for ${pairsOf(suggested)}: ${total} trials.`] : []),
    ...(isObject(keyword) ? [keywordLine(keyword, match)] : []),
    ...textsOf(spelling).map((each) => {
      const [sign, at] = [each.indexOf('='), each.lastIndexOf(': ')];
      const [parameter, word, near] = [each.slice(0, sign), each.slice(sign + 1, at), each.slice(at + 2)];
      return near === NO_NEAR_WORD
        ? `No trial has the word ${word} in ${TEXTS_READ[match][parameter] ?? 'its text'}, nor one that is spelt like it.`
        : `Few trials or none have the word ${word}; spelt like it, with trials: ${near}.`;
    }),
  ];
}

function keywordLine({ keyword, instead, total, ...rest }: JsonObject, match: keyof typeof TEXTS_READ): string {
  const read = match === 'concepts' ? 'reads for names of concepts alone' : 'does not read';
  const asked = pairsOf({ keyword, ...rest });
  return `Keywords of the registry, which ${instead} ${read}: ${asked} instead of ${instead} finds ${total} ${total === 1 ? 'trial' : 'trials'}.`;
}

/** What the concise form says of a word that is near to none. */
export const NO_NEAR_WORD = 'no near word';

function pairsOf(values: JsonObject): string {
  return Object.entries(values)
    .filter(([, value]) => isStated(value))
    .map(([name, value]) => `${name}=${value}`)
    .join(' and ');
}
