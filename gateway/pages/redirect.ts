import { html } from './html.ts';
import { ADDRESS_MAX_CHARACTERS } from './kit/address.ts';
import type { PageContent } from './page.ts';

/** Another page as the answer: 303 for what a form or a search leads to, 301 for another name of the same page. */
export function redirect(to: string, status: 301 | 303 = 303): PageContent {
  if (to.length > ADDRESS_MAX_CHARACTERS) return tooLong(to);
  return { title: 'See another page', status, location: to, main: html`<p><a href="${to}">Go to the page</a></p>` };
}

function tooLong(to: string): PageContent {
  return {
    title: 'This address is too long',
    status: 414,
    main: html`<p>What is asked for has to fit into an address of ${ADDRESS_MAX_CHARACTERS.toLocaleString('en-GB')} characters. Please use fewer words or filters.</p>
<p><a href="${to.split('?')[0]!.slice(0, ADDRESS_MAX_CHARACTERS)}">Begin anew</a></p>`,
  };
}
