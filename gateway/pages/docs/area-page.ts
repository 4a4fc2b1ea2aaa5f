import { DOORS } from '../../../contract/doors.ts';
import { RATE_WINDOW_SECONDS } from '../../../contract/limits.ts';
import { nearestNames } from '../../../contract/nearest-names.ts';
import type { Operation } from '../../../contract/operation.ts';
import { PAGES } from '../../../contract/pages.ts';
import { Problem } from '../../../server-kit/problem.ts';
import { tagDescription } from '../../description/groups.ts';
import { usedBuckets } from '../../description/llms-text.ts';
import { type Html, html } from '../html.ts';
import { table } from '../kit/parts.ts';
import type { Page, PageContent } from '../page.ts';
import { AREAS, OTHER_AREAS, type OtherArea } from './areas.ts';
import { operationArticle } from './operation-article.ts';

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
