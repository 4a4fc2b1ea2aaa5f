import { foldPlace, foldTerm, POSTING } from '../../snapshot/format/serving-columns.ts';
import { COUNTRY_NAMES } from '../../snapshot/format/words/countries.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** The values of one filter that have a text at the start of a word, and how many trials each finds. */
export interface FieldValues {
  total: number;
  values: { value: string; trials: number }[];
}

const COUNTRY_BY_FOLDED = new Map(COUNTRY_NAMES.map((name) => [foldTerm(name), name]));

export function fieldValues(
  image: SnapshotImage,
  field: 'condition' | 'country' | 'topic',
  text: string,
  limit: number,
): FieldValues {
  if (field === 'topic') return topicValues(image, text, limit);
  if (field === 'condition') return postedValues(image, POSTING.condition, foldTerm(text), limit);
  const { total, values } = postedValues(image, POSTING.country, foldTerm(text), limit);
  return {
    total,
    values: values.map(({ value, trials }) => ({ value: COUNTRY_BY_FOLDED.get(value) ?? value, trials })),
  };
}

/** Reads only counts until it knows which values are shown: some texts have tens of thousands. */
function postedValues(image: SnapshotImage, kind: string, text: string, limit: number): FieldValues {
  const skipped = Buffer.byteLength(kind);
  const places = placesWith(image, kind, text);
  // Places are in the order of the keys, so that equal counts stay in it.
  const shown = places.toSorted((a, b) => image.countAt(b) - image.countAt(a) || a - b).slice(0, limit);
  const { bytes, offsets } = image.keys;
  const values = shown.map((place) => ({
    value: bytes.toString('utf8', (offsets[place] as number) + skipped, offsets[place + 1]),
    trials: image.countAt(place),
  }));
  return { total: places.length, values };
}

/** Places of the keys of a kind that have the text at the start of a word. Keys lie one after the other and are searched as one text. */
export function placesWith(image: SnapshotImage, kind: string, text: string): number[] {
  const { from, to } = image.keysWith(kind);
  if (text === '') return Array.from({ length: to - from }, (_, at) => from + at);
  const { bytes, offsets } = image.keys;
  const skipped = Buffer.byteLength(kind);
  const wanted = Buffer.from(text);
  const end = offsets[to] as number;
  const places: number[] = [];
  let place = from;
  for (let at = bytes.indexOf(wanted, offsets[from]); at >= 0 && at < end; ) {
    if ((offsets[place + 1] as number) <= at) place = placeOf(offsets, place, to, at);
    const start = (offsets[place] as number) + skipped;
    const isWithin = at >= start && at + wanted.length <= (offsets[place + 1] as number);
    const isFound = isWithin && (at === start || !isLetter(bytes[at - 1] as number));
    if (isFound) places.push(place);
    at = bytes.indexOf(wanted, isFound ? offsets[place + 1] : at + 1);
  }
  return places;
}

/** The place of the key that holds a byte, which lies beyond `place` and before `to`. */
function placeOf(offsets: Int32Array, place: number, to: number, at: number): number {
  let [low, high] = [place + 1, to - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether a byte belongs to a word: a letter or digit of ASCII, or part of any other letter. */
function isLetter(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

function topicValues(image: SnapshotImage, text: string, limit: number): FieldValues {
  const wanted = ` ${foldPlace(text)}`;
  const found = image.topics.filter(({ id, title }) => ` ${foldPlace(id)} ${foldPlace(title)}`.includes(wanted));
  const counted = found.map(({ id }) => ({ value: id, trials: image.posting(POSTING.topic + id)?.count ?? 0 }));
  return { total: found.length, values: counted.sort((a, b) => b.trials - a.trials).slice(0, limit) };
}
