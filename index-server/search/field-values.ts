import { COUNTRY_NAMES } from '../../snapshot-format/countries.ts';
import { foldPlace, foldTerm, POSTING } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** The values of one filter that begin with a text, and how many trials each finds. */
export interface FieldValues {
  total: number;
  values: { value: string; trials: number }[];
}

const COUNTRY_BY_FOLDED = new Map(COUNTRY_NAMES.map((name) => [foldTerm(name), name]));

export function fieldValues(
  image: SnapshotImage,
  field: 'condition' | 'country' | 'topic',
  begins: string,
  limit: number,
): FieldValues {
  if (field === 'topic') return topicValues(image, begins, limit);
  if (field === 'condition') return postedValues(image, POSTING.condition, foldTerm(begins), limit);
  const { total, values } = postedValues(image, POSTING.country, foldTerm(begins), limit);
  return {
    total,
    values: values.map(({ value, trials }) => ({ value: COUNTRY_BY_FOLDED.get(value) ?? value, trials })),
  };
}

/** Reads only counts until it knows which values are shown: a short beginning has tens of thousands. */
function postedValues(image: SnapshotImage, kind: string, begins: string, limit: number): FieldValues {
  const { from, to } = image.keysWith(`${kind}${begins}`);
  const places = Array.from({ length: to - from }, (_, at) => from + at);
  // Places are in the order of the keys, so that equal counts stay in it.
  const shown = places.sort((a, b) => image.countAt(b) - image.countAt(a) || a - b).slice(0, limit);
  const { bytes, offsets } = image.keys;
  const skipped = Buffer.byteLength(kind);
  const values = shown.map((place) => ({
    value: bytes.toString('utf8', (offsets[place] as number) + skipped, offsets[place + 1]),
    trials: image.countAt(place),
  }));
  return { total: to - from, values };
}

function topicValues(image: SnapshotImage, begins: string, limit: number): FieldValues {
  const wanted = foldPlace(begins);
  const found = image.topics.filter(({ id, title }) => [id, title].some((text) => foldPlace(text).startsWith(wanted)));
  const counted = found.map(({ id }) => ({ value: id, trials: image.posting(POSTING.topic + id)?.count ?? 0 }));
  return { total: found.length, values: counted.sort((a, b) => b.trials - a.trials).slice(0, limit) };
}
