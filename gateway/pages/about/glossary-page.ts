import { glossaryText } from '../../description/documents.ts';
import { type Html, html } from '../html.ts';
import { record } from '../kit/record.ts';
import type { Page } from '../page.ts';
import { tableRows } from './document-tables.ts';

/** What the words of this service mean, from docs/glossary.md. */
export const glossaryPage: Page = {
  id: 'page-glossary',
  respond: () => ({
    title: 'Glossary',
    main: html`<p>One word for one thing, in answers, pages and texts.</p>
${record(tableRows(glossaryText()).map(([word, meaning]) => [word!, written(meaning!)] as const))}`,
  }),
};

/** A cell of the document: words in backticks are code, and of a link its words are shown. */
function written(cell: string): Html {
  const parts = cell.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').split('`');
  return html`${parts.map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
