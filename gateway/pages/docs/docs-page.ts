import { DOORS } from '../../../contract/interfaces/doors.ts';
import { PAGES, pageOf } from '../../../contract/interfaces/pages.ts';
import { searchTools } from '../../../contract/interfaces/tool-search.ts';
import { QUERY_MAX_CHARACTERS, RATE_WINDOW_SECONDS } from '../../../contract/limits/limits.ts';
import { nearestNames } from '../../../contract/nearest-names.ts';
import type { Operation } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import { Problem } from '../../../server-kit/problem.ts';
import { tagDescription } from '../../description/groups.ts';
import { READING_RULES, UNTRUSTED_NOTE, usedBuckets } from '../../description/llms-text.ts';
import { type Html, html } from '../html.ts';
import { command, table } from '../kit/parts.ts';
import { inCode, joined } from '../kit/words.ts';
import type { Page, PageContent } from '../page.ts';
import { AREAS, areaAddress, docsAddress, OTHER_AREAS, type OtherArea } from './areas.ts';
import { operationArticle } from './operation-article.ts';

/** The index of the reference: how the service answers, and every operation by area, or those that fit some words. */
export const docsPage: Page = {
  id: 'page-docs',
  respond({ query, baseUrl }) {
    const words = (query.get('q') ?? '').trim().slice(0, QUERY_MAX_CHARACTERS);
    return {
      title: 'Every operation',
      main: html`<p>Reads and writes need no account. These pages and the routes are made from one contract: <a href="/api/v1/contract">check that they agree</a>.</p>
${filterForm(words)}
${words === '' ? wholeIndex(baseUrl) : found(words)}`,
    };
  },
};

function filterForm(words: string): Html {
  return html`<form class="search" role="search" action="${pageOf('page-docs').path}" method="get">
<label for="q">What do you want to do?</label>
<input id="q" name="q" type="search" required maxlength="${QUERY_MAX_CHARACTERS}" value="${words}">
<button type="submit">Find operations</button>
</form>`;
}

const FOUND_MAX = 12;

function found(words: string): Html {
  const byId = new Map(OPERATIONS.map((operation) => [operation.id, operation]));
  const ids = searchTools(words, OPERATIONS, 'whole');
  const { path } = pageOf('page-docs');
  if (ids.length === 0)
    return html`<p>No operation has these words in its name, its description or its parameters. <a href="${path}">See all ${OPERATIONS.length}</a>, by area.</p>`;
  const shown = ids.slice(0, FOUND_MAX).map((id) => byId.get(id)!);
  return html`<h2>The operations that fit best</h2>
<ul class="cards">${shown.map(
    (operation) => html`<li><a href="${docsAddress(operation)}">${operation.summary}</a> ${call(operation)}
<p>${inCode(operation.description)}</p></li>
`,
  )}</ul>
<p><a href="${path}">All ${OPERATIONS.length} operations</a>, by area</p>`;
}

function wholeIndex(baseUrl: string): Html {
  const links = [
    ['OpenAPI 3.1', '/api/v1/openapi.json'],
    ['llms.txt', '/llms.txt'],
    ['Agent card', '/.well-known/agent-card.json'],
    ['Error codes', pageOf('page-errors').path],
    ['Glossary', pageOf('page-glossary').path],
    ['About', pageOf('page-about').path],
    ...Object.entries(OTHER_AREAS).map(([area, title]) => [title, areaAddress(area)] as const),
  ] as const;
  return html`<p>${joined(
    links.map(([name, path]) => html`<a href="${path}">${name}</a>`),
    ' · ',
  )}</p>
<h2 id="begin">How it answers</h2>
<p>Base address: <code>${baseUrl}</code>. A success is <code>{"data": …, "_meta": …}</code>, a failure <code>{"error": …}</code> with a <code>code</code> to branch on, a <code>hint</code>, and <code>retryable</code>. Every answer has the header <code>X-Correlation-Id</code>. Writes take a random UUID as <code>Idempotency-Key</code>: the same key with the same body gives the first answer again.</p>
${command(`curl '${baseUrl}/api/v1/hello'`)}
<h3>Rules that must not be broken</h3>
<ul>${READING_RULES.map((rule) => html`<li>${inCode(rule)}</li>`)}</ul>
<p class="notice">${UNTRUSTED_NOTE}</p>
${[...AREAS].map(
  ([area, operations]) => html`<h2><a href="${areaAddress(area)}">${area}</a></h2>
<p>${tagDescription(area)}</p>
<ul>${operations.map((operation) => html`<li id="${operation.id}"><a href="${docsAddress(operation)}">${operation.summary}</a></li>`)}</ul>
`,
)}`;
}

const call = ({ method, path }: Operation): Html => html`<code>${method} ${path}</code>`;

/** One area of the reference: its operations with their parameters, answers and commands. */
export const docsAreaPage: Page = {
  id: 'page-docs-area',
  respond({ params, baseUrl }) {
    const area = params.area!;
    const operations = AREAS.get(area);
    if (operations !== undefined) return operationsOf(area, operations, baseUrl);
    if (Object.hasOwn(OTHER_AREAS, area)) {
      const other = area as OtherArea;
      return { title: OTHER_AREAS[other], description: OTHER_AREAS[other], main: OTHER_CONTENT[other](baseUrl) };
    }
    const near = nearestNames(area, [...AREAS.keys(), ...Object.keys(OTHER_AREAS)]);
    const hint = near.length === 0 ? '' : ` Near it: ${near.join(', ')}.`;
    throw new Problem('NOT_FOUND', { message: `The reference has no area of this name.${hint}` });
  },
};

function operationsOf(area: string, operations: readonly Operation[], baseUrl: string): PageContent {
  return {
    title: `API: ${area}`,
    description: tagDescription(area),
    main: html`<p>${tagDescription(area)}</p>
<p>In commands, <code>ID</code> stands for one of your ids.</p>
<ul>${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}</ul>
<div class="docs">${operations.map((operation) => operationArticle(operation, baseUrl))}</div>`,
  };
}

const OTHER_CONTENT: Readonly<Record<OtherArea, (baseUrl: string) => Html>> = { doors, limits, pages };

function doors(baseUrl: string): Html {
  return html`<p>MCP and A2A call the same operations, with the same limits, errors and idempotency.</p>
${table('Paths beside the operations', DOORS, [
  ['Path', ({ methods, path }) => html`${methods.join(', ')} <code>${path}</code>`],
  ['Media type', ({ mediaType }) => mediaType],
  ['What', ({ summary }) => summary],
])}
<p class="notice">MCP clients must send <code>Accept: application/json, text/event-stream</code>, both of them; with only one the answer is 406.</p>
<pre><code>curl -X POST '${baseUrl}/api/v1/mcp' \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'</code></pre>`;
}

function limits(): Html {
  return html`<p>Each bucket counts requests in windows of ${RATE_WINDOW_SECONDS} seconds. The headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset show how much of it is left; a 429 says in Retry-After how long to wait. <a href="/api/v1/usage">All your buckets</a>.</p>
${table('Requests a minute', usedBuckets(), [
  ['Bucket', ({ id }) => html`<code>${id}</code>`],
  ['A minute', ({ perMinute }) => perMinute, 'number'],
  ['For each', ({ scope }) => scope],
  ['Applies to', ({ appliesTo }) => appliesTo],
])}`;
}

function pages(): Html {
  return html`<p>Each is made of the answers of these operations and charged as one read.</p>
${table('Pages', PAGES, [
  [
    'Path',
    ({ path }) => (path.includes('{') ? html`<code>${path}</code>` : html`<a href="${path}"><code>${path}</code></a>`),
  ],
  ['Title', ({ title }) => title],
  ['What', ({ summary }) => summary],
])}`;
}
