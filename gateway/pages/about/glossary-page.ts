import { glossaryText } from '../../description/documents.ts';
import { type Html, html } from '../html.ts';
import { record } from '../kit/parts.ts';
import type { Page } from '../page.ts';
import { sectionOf, tableRows } from './document-tables.ts';

/** What the words of this service mean, from docs/glossary.md: those that people meet on pages first. */
export const glossaryPage: Page = {
  id: 'page-glossary',
  respond: () => ({
    title: 'Glossary',
    main: html`<p>One word for one thing, in answers, pages and texts; each list is in the order of the alphabet.</p>
<h2 id="pages">Words of the pages</h2>
${words('Words of the pages')}
<h2 id="programs">Words of programs</h2>
<details><summary>For those who use the API or read the code</summary>
${words('Words of programs')}</details>`,
  }),
};

function words(heading: string): Html {
  return record(
    tableRows(sectionOf(glossaryText(), heading)).map(([word, meaning]) => [word!, written(meaning!)] as const),
  );
}

/** A cell of the document: words in backticks are code, and of a link its words are shown. */
function written(cell: string): Html {
  const parts = cell.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').split('`');
  return html`${parts.map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
