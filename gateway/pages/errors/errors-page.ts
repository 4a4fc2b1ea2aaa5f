import { ERROR_CODES, ERROR_FAMILIES, ERRORS, type ErrorFamily } from '../../../contract/errors.ts';
import { PROTOCOL_ERRORS } from '../../../contract/errors-protocol.ts';
import { listErrors } from '../../../contract/operations/orientation.ts';
import { errorAddress } from '../../../contract/pages.ts';
import { apiCall } from '../api-call.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../page.ts';
import { table } from '../parts.ts';

const FAMILY_TITLES: Record<ErrorFamily, string> = {
  validation: 'The request is wrong',
  conflict: 'The state of things stands against it',
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
    title: 'Error codes',
    main: html`<p>A failure is <code>{"error": …}</code> with a <code>code</code> to branch on, a <code>hint</code> that ends with the address of the code's page, and <code>retryable</code>: whether the identical request can succeed later. The same codes come over REST, MCP and A2A.</p>
<div class="codes">
${ERROR_FAMILIES.map(
  (family) => html`<h2>${FAMILY_TITLES[family]}</h2>
${table(
  `${FAMILY_TITLES[family]}: codes`,
  [
    { head: 'Code', cell: linked },
    { head: 'HTTP status', cell: (code) => ERRORS[code].status, number: true },
    { head: 'Retryable', cell: (code) => (ERRORS[code].retryable ? 'yes' : 'no') },
    { head: 'When it comes', cell: (code) => ERRORS[code].cause },
  ],
  ERROR_CODES.filter((code) => ERRORS[code].family === family),
)}
`,
)}
<h2>Over A2A, before a skill runs</h2>
${table(
  'JSON-RPC errors',
  [
    { head: 'Name', cell: ({ name }) => linked(name) },
    { head: 'Code', cell: ({ code }) => code, number: true },
    { head: 'When it comes', cell: ({ when }) => when },
  ],
  PROTOCOL_ERRORS,
)}
</div>`,
    calls: [apiCall(listErrors)],
  }),
};

function linked(code: string): Html {
  return html`<a href="${errorAddress(code)}"><code>${code}</code></a>`;
}
