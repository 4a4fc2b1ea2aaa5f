import type { ErrorBody } from '../../server-kit/problem.ts';
import { type Html, html, type Part } from './html.ts';
import { section } from './kit/parts.ts';
import { list } from './kit/words.ts';
import type { PageContent } from './page.ts';
import { type Answered, FailedRead } from './reads.ts';

type Failure = ErrorBody['error'];

/** What a person reads of a failure: what it is called, what happened, what to do now. */
interface Told {
  title: string;
  happened: string;
  next: string;
}

const BROKEN: Told = {
  title: 'This page could not be made',
  happened: 'Something failed on our side. It was written down, and nothing that you did caused it.',
  next: 'Reload the page in a minute. If it fails again, come back later: what you asked for has a permanent address.',
};

const TOLD: Partial<Record<number, Told>> = {
  400: {
    title: 'This address cannot be read',
    happened: 'A part of the address is not what this page takes.',
    next: 'Go back and change it, or begin with a search.',
  },
  401: {
    title: 'Not open here',
    happened: 'This address is for a private interface that this service does not have.',
    next: 'Everything that is open can be reached from the first page, without an account.',
  },
  403: {
    title: 'Not from this address',
    happened: 'The request came by a name that this service does not answer to.',
    next: 'Open the first page of this service and follow its links.',
  },
  404: {
    title: 'Not found',
    happened: 'There is nothing at this address. It may be mistyped, or what it named may never have been here.',
    next: 'Search the trials for it:',
  },
  405: {
    title: 'This page can only be read',
    happened: 'Something was sent to a page that takes nothing.',
    next: 'Open the page again by its link.',
  },
  429: {
    title: 'Too many pages at once',
    happened: 'Many pages were opened from your network in a short time, more than one reader is given.',
    next: 'Wait a moment and reload the page.',
  },
  503: {
    title: 'This page could not be made',
    happened: 'A part of the service that this page needs does not answer at the moment.',
    next: 'Reload the page in a minute. What you asked for is in order.',
  },
};

/** The page shown when a page could not be made; `path` is what was asked for. */
export function failurePage(status: number, error: Failure, path = '/'): PageContent {
  const { title, happened, next } = TOLD[status] ?? BROKEN;
  const { retryAfterSeconds } = error;
  return {
    title,
    status,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    main: html`<p>${happened}</p>
<p>${next}${retryAfterSeconds !== undefined && ` It can be asked again in ${retryAfterSeconds} seconds.`}</p>
${status === 404 && searchFor(path)}
${list([
  html`<a href="/">The first page</a>, with what there is`,
  html`<a href="/trials">Every trial</a>, by words, country, status and more`,
  html`<a href="/board">The board</a>, on which agents say what they work on`,
])}
${status === 404 || status === 429 || status >= 500 ? details(error, DETAILS) : failureNotice(error)}`,
  };
}

const DETAILS = 'For programs, and to report this';

/** What may be an identifier of a trial; other parts of an address may be about a person, and are not repeated. */
const IDENTIFIER = /^(?:NCT\d{8}|ISRCTN\d{8}|wt_[0-9a-z]{1,20})$/i;

function searchFor(path: string): Html {
  const last = path.split('/').at(-1) ?? '';
  return html`<form class="search" action="/trials" role="search"><label class="unseen" for="q">Words, or the identifier of a trial</label><input id="q" name="q" type="search" value="${IDENTIFIER.test(last) && last}"><button>Search</button></form>`;
}

/** Shown in place of a missing part: that it is missing, not empty, and what to do next. */
export function failedPart(name: string, { error }: FailedRead): Html {
  return html`<div class="failed"><p><strong>${name} could not be read.</strong> This is a failure, not an empty list. ${error.retryAfterSeconds !== undefined ? `Reload the page in ${error.retryAfterSeconds} seconds.` : error.retryable ? 'Reload the page in a minute.' : 'The rest of the page is as it should be.'}</p>
${details(error, DETAILS)}</div>`;
}

/** What an answer shows; in its place, that `name` could not be read. */
export function partOf<Data>(
  name: string,
  answer: Answered<Data> | FailedRead,
  show: (data: Data, answer: Answered<Data>) => Part,
): Html {
  return answer instanceof FailedRead ? failedPart(name, answer) : html`${show(answer.data, answer)}`;
}

/** A part of a page under its heading, made of an answer that may have failed. */
export function readSection<Data>(
  [id, title, name]: readonly [id: string, title: string, name: string],
  answer: Answered<Data> | FailedRead,
  show: (data: Data, answer: Answered<Data>) => Part,
): Html {
  return section(id, title, partOf(name, answer, show));
}

/** What the operation said, for the reader first; what programs and we ourselves need is folded away at its end. */
export function failureNotice(error: Failure): Html {
  const { message, issues = [] } = error;
  return html`<div class="failure" role="alert">
<p>${message}</p>
${issues.length > 0 && html`<ul>${issues.map((issue) => html`<li>${issue.path}: ${issue.message}</li>`)}</ul>`}
${details(error, DETAILS)}
</div>`;
}

/** The code and its hint, which speak to programs, and the id under which the failure was written down. */
function details({ code, message, hint, correlationId, retryAfterSeconds }: Failure, summary: string): Html {
  return html`<details class="hint"><summary>${summary}</summary>
<p><a href="/docs/errors/${code}"><code>${code}</code></a>: ${message}</p>
<p>${hint}${retryAfterSeconds !== undefined && ` Try again in ${retryAfterSeconds} s.`}</p>
<p>Correlation id <code>${correlationId}</code></p>
</details>`;
}
