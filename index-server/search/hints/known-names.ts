import { nearNote } from '../../../contract/nearest-names.ts';
import { foldPlace, foldTerm, POSTING } from '../../../snapshot/format/serving-columns.ts';
import { askedCountry, COUNTRY_NAMES } from '../../../snapshot/format/words/countries.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { TrialFilters } from '../filters.ts';

/** A filter whose value names nothing: what was expected, with the names that are near. */
export interface UnknownName {
  parameter: 'topic' | 'country' | 'siteCountry';
  expected: string;
}

/** Half of the letters: names further away would say that a continent is one of its islands. */
const LIKE_A_COUNTRY = 0.5;

/** The first of these filters whose value nobody knows: its answer would be a zero that says nothing of trials. */
export function unknownName(
  image: SnapshotImage,
  filters: Pick<TrialFilters, 'topic' | 'country' | 'siteCountry'>,
): UnknownName | null {
  const { topic } = filters;
  const topics = image.topics.map(({ id }) => id);
  if (topic !== undefined && !topics.includes(topic)) {
    const note = nearNote(topic, topics, { meant: { [topic.replaceAll('-', ' ')]: topicsAbout(image, topic) } });
    return { parameter: 'topic', expected: `a topic id that /api/v1/trials/stats lists${note}` };
  }
  for (const parameter of ['country', 'siteCountry'] as const) {
    const country = filters[parameter];
    if (country === undefined || isCountry(image, country)) continue;
    const expected = 'the English name of a country, a name by which a registry lists it, or its ISO code';
    return { parameter, expected: `${expected}${nearNote(country, COUNTRY_NAMES, { most: LIKE_A_COUNTRY })}` };
  }
  return null;
}

const TOPICS_SHOWN = 3;

/** The topics that have these words in their title or as one of their reviewed queries; the query itself goes first. */
function topicsAbout({ topics }: SnapshotImage, asked: string): string[] {
  const wanted = foldPlace(asked);
  const named = topics.map(({ id, title, reading }) => ({
    id,
    texts: [title, ...(reading?.words ?? [])].map(foldPlace),
  }));
  const exact = named.filter(({ texts }) => texts.includes(wanted));
  const about = named.filter(({ texts }) => texts.some((text) => ` ${text} `.includes(` ${wanted} `)));
  return [...new Set([...exact, ...about].map(({ id }) => id))].slice(0, TOPICS_SHOWN);
}

/** A registry may list a place that has no ISO code, as Kosovo or the Former Yugoslavia. */
function isCountry(image: SnapshotImage, country: string): boolean {
  return askedCountry(country) !== null || image.posting(POSTING.country + foldTerm(country)) !== null;
}
