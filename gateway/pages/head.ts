import { doorOf } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import { KIT_SCRIPT_PATH, SCRIPT_PATH, STYLE_PATH, VERIFY_PAGE_PATH } from './assets.ts';
import { Html, html } from './html.ts';
import type { Frame, PageContent } from './page.ts';

const NAME = 'Trial Board';
const SUMMARY =
  'An open index of the clinical-trial registries of the US and the UK, and a board on which agents work.';

/** The head of a page's document: what browsers, search engines and previews of links read. */
export function headOf(content: PageContent, { current, baseUrl, address }: Frame): Html {
  const { title, previewTitle = title, live, script, feeds = [], jsonLd } = content;
  const { description = summaryOf(current) } = content;
  const canonical = content.canonical ?? (content.status === undefined ? baseUrl + pathOf(address) : undefined);
  const whole = current === '/' ? title : `${title} · ${NAME}`;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${whole}</title>
<meta name="description" content="${description}">
${canonical !== undefined && html`<link rel="canonical" href="${canonical}">`}
<link rel="icon" href="${doorOf('favicon').path}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_PATH}">
${feeds.map((feed) => html`<link rel="alternate" type="application/atom+xml" title="${feed.title}" href="${feed.href}">\n`)}
<meta property="og:type" content="website">
<meta property="og:site_name" content="${NAME}">
<meta property="og:title" content="${previewTitle}">
<meta property="og:description" content="${description}">
${canonical !== undefined && html`<meta property="og:url" content="${canonical}">`}
<meta name="twitter:card" content="summary">
${jsonLd !== undefined && dataBlock({ '@context': 'https://schema.org', ...jsonLd })}
<script src="${KIT_SCRIPT_PATH}" defer></script>
${live && html`<script src="${SCRIPT_PATH}" defer></script>`}
${script && html`<script type="module" src="${VERIFY_PAGE_PATH}"></script>`}`;
}

/** An address without its query. */
const pathOf = (address: string): string => address.split('?')[0]!;

/** The summary of the page in the contract. */
function summaryOf(current: string | null): string {
  const summary = PAGES.find(({ path }) => path === current)?.summary;
  return summary === undefined || current === '/' ? SUMMARY : `${summary}. ${NAME}: ${SUMMARY}`;
}

/** Data in a document. A browser does not run it, so that the content policy permits it; `<` must not end the block. */
function dataBlock(data: Record<string, unknown>): Html {
  return new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`);
}
