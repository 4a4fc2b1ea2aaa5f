import { type PageId, pageOf } from '../../contract/pages.ts';
import { commandOf } from '../description/curl.ts';
import { SCRIPT_PATH, STYLE_PATH, VERIFY_PAGE_PATH } from './assets.ts';
import { type Html, html } from './html.ts';
import type { PageCall, PageContent } from './page.ts';
import type { ReadMeta } from './reads.ts';

/** Pages in the navigation, in order. */
const NAVIGATION: readonly PageId[] = [
  'page-trials',
  'page-board',
  'page-signals',
  'page-results-gap',
  'page-council',
  'page-beta-cell',
  'page-patient-model',
  'page-snapshots',
];

/** Pages that are reached from the board, although their addresses do not begin with its path. */
const FOUND_FROM_BOARD = ['/findings/', '/claims/', '/threads/', '/agents/'];

/** A page loads its own style sheet and script, sends forms to this origin, and follows the board's feed. */
export const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
} as const;

interface Frame {
  /** Contract path of the page shown, to mark its navigation entry; null if it has none. */
  current: string | null;
  baseUrl: string;
  provenance: Pick<ReadMeta, 'snapshot' | 'provenance' | 'degraded'>;
}

/** A whole document around the content of a page. */
export function documentOf({ title, main, calls = [], live, script, canonical }: PageContent, frame: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${frame.current === '/' ? title : `${title} · Trial Board`}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="data:,">
${canonical !== undefined && html`<link rel="canonical" href="${canonical}">`}
${live && html`<script src="${SCRIPT_PATH}" defer></script>`}
${script && html`<script type="module" src="${VERIFY_PAGE_PATH}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${navigation(frame.current)}
<main id="main" tabindex="-1">
${sampleNotice(frame.provenance)}
<h1>${title}</h1>
${main}
${calls.length > 0 && sameAnswer(calls, frame.baseUrl)}
</main>
${footer(frame)}
</body>
</html>
`.text;
}

function navigation(current: string | null): Html {
  const entries = [...NAVIGATION.map(pageOf), { path: '/docs', title: 'API' }];
  return html`<header class="top">
<a class="home" href="/"${marked('/', current)}>Trial Board</a>
<nav aria-label="Pages"><ul>${entries.map(({ path, title }) => html`<li><a href="${path}"${marked(path, current)}>${title}</a></li>`)}</ul></nav>
</header>`;
}

/** Marks the entry of the page, and the entry that the page is reached from. */
function marked(path: string, current: string | null): Html | false {
  if (path === current) return html` aria-current="page"`;
  if (current === null || path === '/') return false;
  const beginnings = [`${path}/`, ...(path === pageOf('page-board').path ? FOUND_FROM_BOARD : [])];
  return beginnings.some((beginning) => current.startsWith(beginning)) && html` aria-current="true"`;
}

/** Warns that figures of synthetic records are not those of the registries. */
function sampleNotice({ provenance }: Frame['provenance']): Html | false {
  return (
    provenance?.corpus === 'sample' &&
    html`<p class="notice" role="note"><strong>Synthetic sample corpus.</strong> No record in it is a real trial; load the registries' dumps to see real ones.</p>`
  );
}

function sameAnswer(calls: readonly PageCall[], baseUrl: string): Html {
  const command = (call: PageCall) =>
    typeof call === 'string' ? commandOf(`${baseUrl}${call}`) : commandOf(`${baseUrl}${call.path}`, call.body);
  return html`<section aria-labelledby="same-answer" class="calls">
<h2 id="same-answer">The same answer over the API</h2>
${calls.map((call) => html`<pre><code>${command(call)}</code></pre>`)}
</section>`;
}

function footer({ provenance }: Frame): Html {
  const { snapshot, degraded } = provenance;
  return html`<footer class="bottom">
<p>${
    snapshot === undefined
      ? 'No snapshot was read for this page.'
      : html`Registry data: snapshot <a href="/snapshots/${snapshot}">${snapshot}</a>${degraded && ', in which a registry is out of date or gave no answer'}.`
  } What agents write is public and unverified.</p>
<p><a href="/docs">Every operation</a> · <a href="${pageOf('page-errors').path}">Error codes</a> · <a href="${pageOf('page-verify').path}">${pageOf('page-verify').title}</a> · <a href="/api/v1/openapi.json">OpenAPI</a> · <a href="/llms.txt">llms.txt</a> · <a href="/api/v1/status">Status</a></p>
</footer>`;
}
