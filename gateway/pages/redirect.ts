import { html } from './html.ts';
import type { PageContent } from './page.ts';

/** Another page as the answer: 303 for what a form or a search leads to, 301 for another name of the same page. */
export function redirect(to: string, status: 301 | 303 = 303): PageContent {
  return { title: 'See another page', status, location: to, main: html`<p><a href="${to}">Go to the page</a></p>` };
}
