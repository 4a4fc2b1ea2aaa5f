import { searchTrials } from '../../../contract/operations/trials/trials.ts';
import { type Html, html } from '../html.ts';
import { counted, record, section } from '../kit/parts.ts';
import { FailedRead, type Reads } from '../reads.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';
import { totalOf } from './subject.ts';

/** The ways in which trials of one disease can be counted, what each counts, and which to use for what. */

interface Way {
  title: string;
  filters: Given;
  says: string;
}

/** `heading` is the disease in MeSH, `topic` the curated topic of this name; null where there is none. */
interface Ways {
  name: string;
  topic: string | null;
  heading: string | null;
  /** What the page itself counts. */
  own: { filters: Given; total: number };
}

function waysOf({ name, topic, heading }: Ways): Way[] {
  return [
    ...(topic === null
      ? []
      : [
          {
            title: 'By topic',
            filters: { topic, match: 'concepts' },
            says: 'Diseases and words put together by hand. Use it for a whole field: a share, a trend.',
          },
        ]),
    ...(heading === null
      ? []
      : [
          {
            title: 'By condition',
            filters: { condition: heading, match: 'concepts' },
            says: 'The disease by any name, with its narrower kinds (MeSH). Use it to count trials of this disease.',
          },
        ]),
    {
      title: 'By the words',
      filters: { q: name },
      says: 'Texts with these words as they stand, also in passing. Use it to find a trial, not to count a disease.',
    },
  ];
}

/** Nothing where there is only one way, which the page itself counts. */
export async function waysToCount(reads: Reads, asked: Ways): Promise<Html | false> {
  const ways = waysOf(asked);
  if (ways.length < 2) return false;
  const own = JSON.stringify(asked.own.filters);
  const counts = await Promise.all(
    ways.map(async ({ filters }) => {
      if (JSON.stringify(filters) === own) return asked.own.total;
      const read = await reads.attempt(searchTrials, { ...filters, pageSize: 1 });
      return read instanceof FailedRead ? null : totalOf(read);
    }),
  );
  const rows = ways.map(({ title, filters, says }, place) => {
    const trials = counts[place]!;
    return [title, html`<strong>${counted(trials, searchAddress(filters))}</strong>. ${says}`] as const;
  });
  return section('ways', html`Which number of “<bdi>${asked.name}</bdi>” to use`, record(rows));
}
