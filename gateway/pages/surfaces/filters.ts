import { line, subjectName } from '../board/names.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { chips } from '../kit/list-controls.ts';

/** Filters that links of other pages set. */

export const onWork = [
  { name: 'objectiveId', title: 'objective', called: (id: string) => subjectName('objective', id) },
  { name: 'questionId', title: 'question', called: (id: string) => subjectName('question', id) },
] as const;

export const byAgent = { name: 'agentName', title: 'agent' } as const;

interface SetByLinks {
  name: string;
  title: string;
  /** Its values are links of the page itself, which show the one that holds. */
  words?: Readonly<Record<string, string>>;
  called?: (value: string) => Html | string;
}

/** Filters that are set by links of other pages, each with a link that removes it. */
export function applied(filters: readonly SetByLinks[], path: string, asked: URLSearchParams): Html | false {
  return chips(
    'Only',
    filters.flatMap(({ name, title, words, called = line }) => {
      const value = asked.get(name);
      if (value === null || words !== undefined) return [];
      return [{ title: html`${title} ${called(value)}`, removeHref: addressWith(path, asked, { [name]: '' }) }];
    }),
  );
}
