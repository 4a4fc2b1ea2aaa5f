import {
  ERROR_CODES,
  ERROR_FAMILIES,
  ERRORS,
  type ErrorCode,
  type ErrorFamily,
} from '../../../contract/errors/errors.ts';
import { PROTOCOL_ERRORS } from '../../../contract/errors/protocol.ts';
import { errorAddress, hintWithPage, pageOf } from '../../../contract/interfaces/pages.ts';
import type { Operation } from '../../../contract/operation.ts';
import { listErrors } from '../../../contract/operations/board/orientation.ts';
import { Problem, type ProblemDetails, problemAnswer } from '../../../server-kit/problem.ts';
import { codesOf } from '../../description/codes.ts';
import { groups } from '../../description/llms-text.ts';
import { areaAddress, docsAddress } from '../docs/areas.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { record } from '../kit/parts.ts';
import type { Page, PageContent } from '../page.ts';

/** Longer lists of operations are grouped and folded. */
const LISTED_FLAT_ITEMS = 10;
const GROUPS = groups();
const EXAMPLE_ID = '3f0c6a52-7d1b-4f6e-9a35-2c8f4b1e7d90';
const EXAMPLE_WAIT_SECONDS = 12;

/** One error code, or the name of a JSON-RPC error, at a permanent address. */
export const errorPage: Page = {
  id: 'page-error',
  respond({ params }) {
    const code = params.code!;
    if (Object.hasOwn(ERRORS, code)) return codePage(code as ErrorCode);
    const protocolError = PROTOCOL_ERRORS.find(({ name }) => name === code);
    if (protocolError) return protocolPage(protocolError);
    throw new Problem('NOT_FOUND', { message: 'There is no error code of this name.' });
  },
};

function codePage(code: ErrorCode): PageContent {
  const { status, family, retryable, cause, hint } = ERRORS[code];
  const example = problemAnswer(new Problem(code, exampleDetails(code)), EXAMPLE_ID).body;
  return {
    title: code,
    main: html`<p>${cause}</p>
${record([
  ['HTTP status', status],
  ['Family', family.replaceAll('_', ' ')],
  ['Can the identical request succeed later?', retryable ? 'yes' : 'no'],
  ['What to do', hint],
])}
<h2>An answer with it</h2>
<pre><code>${JSON.stringify(example, null, 2)}</code></pre>
<p>Branch on <code>code</code>; the text may change. Some answers have more fields: <code>parameter</code> and <code>expected</code>, <code>issues</code> with all problems at once, <code>retryAfterSeconds</code>. A client whose Accept names <code>application/problem+json</code> gets the error in the form of RFC 9457, with the address of this page as its <code>type</code>.</p>
<h2>Operations that answer it</h2>
${operationList(code)}
${everyCode()}`,
    calls: [apiCall(listErrors, { code })],
  };
}

function exampleDetails(code: ErrorCode): ProblemDetails {
  if (ERRORS[code].family === 'rate_limit') return { retryAfterSeconds: EXAMPLE_WAIT_SECONDS };
  if (code !== 'INVALID_PARAM') return {};
  const expected = 'a whole number from 1 to 100';
  return {
    message: `The parameter pageSize is not usable: expected ${expected}.`,
    parameter: 'pageSize',
    expected,
    issues: [{ path: 'pageSize', message: `expected ${expected}` }],
  };
}

function operationList(code: ErrorCode): Html {
  const answering = GROUPS.map(
    ([group, operations]) => [group, operations.filter((one) => codesOf(one).includes(code))] as const,
  ).filter(([, operations]) => operations.length > 0);
  const all = answering.flatMap(([, operations]) => operations);
  if (all.length === 0)
    return html`<p>No operation declares it: it occurs before an operation is reached, or no operation of this deployment uses it.</p>`;
  if (all.length <= LISTED_FLAT_ITEMS) return listed(all);
  return html`<p>${all.length} operations, by topic.</p>
${answering.map(
  ([
    group,
    operations,
  ]) => html`<details><summary>${group} (${operations.length})</summary>${listed(operations)}</details>
`,
)}`;
}

function listed(operations: readonly Operation[]): Html {
  return html`<ul>${operations.map((operation) => html`<li><a href="${docsAddress(operation)}">${operation.summary}</a> <code>${operation.method} ${operation.path}</code></li>`)}</ul>`;
}

/** The error of an A2A request that is refused before any skill runs. */
function protocolPage({ code, name, definedBy, message, hint, when }: (typeof PROTOCOL_ERRORS)[number]): PageContent {
  const example = {
    jsonrpc: '2.0',
    id: 1,
    error: { code, message, data: { code: name, hint: hintWithPage(name, hint), correlationId: EXAMPLE_ID } },
  };
  return {
    title: name,
    main: html`<p>${when}</p>
${record([
  ['JSON-RPC code', code],
  ['Defined by', definedBy],
  ['What to do', hint],
])}
<h2>An answer with it</h2>
<pre><code>${JSON.stringify(example, null, 2)}</code></pre>
<p>The <a href="${areaAddress('doors')}">A2A door</a> gives this answer to a request before any skill runs. A skill that runs and fails has a code of the error catalogue instead.</p>
${everyCode()}`,
    calls: [apiCall(listErrors)],
  };
}

const everyCode = (): Html => html`<p><a href="${pageOf('page-errors').path}">Every code</a></p>`;

const FAMILY_TITLES: Record<ErrorFamily, string> = {
  validation: 'The request is wrong',
  conflict: 'The current state does not allow it',
  not_found: 'It is not there',
  authorization: 'The credential does not fit',
  rate_limit: 'Too fast',
  availability: 'The service failed',
  protocol: 'Not with this method',
};

/** Every error code, grouped by what it means for a caller. */
export const errorsPage: Page = {
  id: 'page-errors',
  respond: () => ({
    main: html`<p>A failure is <code>{"error": …}</code> with a <code>code</code> to branch on, a <code>hint</code> that ends with the address of the code's page, and <code>retryable</code>: whether the identical request can succeed later. REST, MCP and A2A use the same codes.</p>
${ERROR_FAMILIES.map((family) => {
  const codes = ERROR_CODES.filter((code) => ERRORS[code].family === family);
  return html`<details><summary>${FAMILY_TITLES[family]} (${codes.length})</summary>
${record(codes.map((code) => [linked(code), meaningOf(ERRORS[code])]))}</details>
`;
})}
<details><summary>Over A2A, before a skill runs (${PROTOCOL_ERRORS.length})</summary>
${record(PROTOCOL_ERRORS.map(({ name, code, when }) => [linked(name), `${code}. ${when}`]))}</details>`,
    calls: [apiCall(listErrors)],
  }),
};

function meaningOf({ status, retryable, cause }: (typeof ERRORS)[ErrorCode]): string {
  return `${status}${retryable ? ', can succeed later' : ''}. ${cause}`;
}

const linked = (code: string): Html => html`<a href="${errorAddress(code)}"><code>${code}</code></a>`;
