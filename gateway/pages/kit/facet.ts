import { type Html, html } from '../html.ts';
import { counted } from './counted.ts';
import { count } from './words.ts';

export interface FacetValue {
  title: string;
  /** How many trials are found with this value; null if that was not counted. */
  trials: number | null;
  /** Address with this value applied, or taken away where it is applied; null if it leads nowhere. */
  href: string | null;
  applied: boolean;
}

interface Facet {
  title: string;
  values: readonly FacetValue[];
  /** Where the values are that are not shown. */
  more?: { title: string; href: string };
  note?: Html | string;
  /** Closed shows the title alone until it is asked for; a facet with an applied value is open. */
  closed?: boolean;
}

/** Values that narrow a list, each with the number that is found with it. */
export function facet({ title, values, more, note, closed = false }: Facet): Html {
  const isOpen = !closed || values.some(({ applied }) => applied);
  return html`<details class="facet"${isOpen && html` open`}>
<summary>${title}</summary>
<ul>${values.map(valueLine)}${more && html`<li><a href="${more.href}">${more.title}</a></li>`}</ul>
${note && html`<p class="hint">${note}</p>`}
</details>`;
}

function valueLine({ title, trials, href, applied }: FacetValue): Html {
  if (applied)
    return html`<li class="applied"><span><strong>${title}</strong>${href !== null && html` <a class="remove" href="${href}">Remove<span class="unseen"> ${title}</span></a>`}</span><span class="count">${count(trials)}</span></li>`;
  if (href === null) return html`<li><span>${title}</span>${counted(trials, null)}</li>`;
  // One link for both, so that the number too leads to its list.
  return html`<li><a href="${href}"><span>${title}</span> <span class="count">${count(trials)}</span></a></li>`;
}
