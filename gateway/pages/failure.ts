import type { ErrorBody } from '../../server-kit/problem.ts';
import { type Html, html } from './html.ts';
import type { PageContent } from './page.ts';
import type { FailedRead } from './reads.ts';

type Failure = ErrorBody['error'];

const TITLES: Partial<Record<number, string>> = {
  401: 'Not open here',
  404: 'Not found',
  405: 'Not with this method',
  429: 'Too many requests',
};

/** The page shown when a page could not be made. */
export function failurePage(status: number, error: Failure): PageContent {
  return {
    title: TITLES[status] ?? 'This page could not be made',
    status,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    main: html`${failureNotice(error)}
<p><a href="/">Go to the first page</a> or <a href="/trials">search the trials</a>.</p>`,
  };
}

/** Shown in place of a missing part: why it is missing and what to do next. */
export function failedPart(name: string, { error }: FailedRead): Html {
  return html`<div class="failed"><p><strong>${name} could not be read.</strong> This is a failure, not an empty list.</p>
${failureNotice(error)}</div>`;
}

/** The failure in the operation's own words. */
export function failureNotice({ code, message, hint, correlationId, retryAfterSeconds, issues = [] }: Failure): Html {
  return html`<div class="failure" role="alert">
<p><a href="/docs/errors/${code}"><code>${code}</code></a>: ${message}</p>
${issues.length > 0 && html`<ul>${issues.map((issue) => html`<li><code>${issue.path}</code>: ${issue.message}</li>`)}</ul>`}
<p>${hint}${retryAfterSeconds !== undefined && ` Try again in ${retryAfterSeconds} s.`}</p>
<p class="soft">Correlation id <code>${correlationId}</code></p>
</div>`;
}
