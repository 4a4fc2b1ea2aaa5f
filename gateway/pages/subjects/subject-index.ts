import { type Html, html } from '../html.ts';
import { type Column, counted, table } from '../kit/parts.ts';

/** Parts of the pages that list sponsors, conditions and countries. */

/** A name typed into the form of an index page; null where none is. */
export function nameAsked(query: URLSearchParams): string | null {
  const name = query.get('name')?.trim() ?? '';
  return name === '' ? null : name;
}

/** A form that leads to the page of a name. */
export function nameForm(path: string, { label, hint }: { label: string; hint: string }): Html {
  return html`<form class="search" action="${path}" method="get" aria-label="${label}">
<div class="query"><label for="name">${label}</label>
<div class="box"><input id="name" name="name" type="search" autocomplete="off" required aria-describedby="name-hint"><button type="submit">Go</button></div>
<p class="hint" id="name-hint">${hint}</p></div>
</form>`;
}

export interface Listed {
  name: string;
  /** Its page. */
  href: string;
  trials: number | null;
  /** The search that finds exactly so many. */
  trialsHref: string | null;
}

export function subjectTable(caption: string, head: string, rows: readonly Listed[]): Html {
  const columns: Column<Listed>[] = [
    [head, ({ name, href }) => html`<a href="${href}"><bdi>${name}</bdi></a>`],
    ['Trials', ({ trials, trialsHref }) => counted(trials, trialsHref), 'number'],
  ];
  return html`<div class="narrow">${table(caption, rows, columns)}</div>`;
}
