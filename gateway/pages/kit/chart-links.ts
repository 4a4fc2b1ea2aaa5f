import type { ChartName } from '../../../contract/take-away.ts';
import { addressWith } from './address.ts';
import type { TakeAwayItem } from './take-away.ts';

/** The addresses of a chart of its own for this query: to embed, to print and to compute with. `what` says what it draws. */
export function chartLinks(name: ChartName, query: URLSearchParams, what: string): TakeAwayItem[] {
  const item = (ending: string, title: string): TakeAwayItem => ({
    title: `${what}: ${title}`,
    href: addressWith(`/charts/${name}.${ending}`, query, { page: '' }),
    hint: `${what}, with its definition, query and snapshot`,
  });
  return [item('svg', 'SVG'), item('csv', 'CSV'), item('html', 'to embed')];
}
