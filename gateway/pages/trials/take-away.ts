import { CHARTS } from '../../../contract/interfaces/charts.ts';
import type { Html } from '../html.ts';
import { type TakeAwayItem, takeAway } from '../kit/parts.ts';
import { pictureAddress } from '../kit/picture.ts';
import { trialsInWords } from '../kit/words.ts';
import { FILTERS } from './search-asked.ts';

/** Files and the feed of a result, at addresses that take the same query. */

/** Parameters that a file takes: filters and order, not the page or its look. */
const TAKEN: readonly string[] = [...FILTERS, 'sort'];

export function fileAddress(ending: 'csv' | 'jsonl' | 'ris' | 'atom', address: URLSearchParams): string {
  const taken = new URLSearchParams([...address].filter(([name]) => TAKEN.includes(name)));
  if (ending === 'atom') taken.delete('sort');
  return taken.size === 0 ? `/trials.${ending}` : `/trials.${ending}?${taken}`;
}

export function trialsTakeAway(total: number, address: URLSearchParams): Html {
  const feed = {
    title: 'Atom feed',
    href: fileAddress('atom', address),
    hint: 'new and changed trials of this search',
  };
  if (total === 0) return takeAway([feed]);
  const all = total === 1 ? '1 trial' : `all ${trialsInWords(total)}`;
  return takeAway([
    {
      title: 'CSV',
      href: fileAddress('csv', address),
      hint: `${all} as a spreadsheet, with snapshot, query and licence`,
    },
    { title: 'JSON Lines', href: fileAddress('jsonl', address), hint: 'for programs: one trial a line' },
    { title: 'RIS', href: fileAddress('ris', address), hint: 'for Zotero, EndNote and Mendeley' },
    ...yearFiles(address),
    feed,
  ]);
}

/** The files of the picture of years, whose bars stand among the facets. */
function yearFiles(address: URLSearchParams): TakeAwayItem[] {
  const own = Object.fromEntries([...address].filter(([name]) => Object.hasOwn(CHARTS.trend.query, name)));
  const file = (ending: 'svg' | 'csv'): string => pictureAddress({ name: 'trend', own }, ending);
  return [
    { title: 'Trials by year as SVG', href: file('svg'), hint: 'a picture with its source' },
    { title: 'Trials by year as CSV', href: file('csv'), hint: 'the numbers, with snapshot, query and licence' },
  ];
}
