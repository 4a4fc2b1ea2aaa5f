import { OPERATIONS } from '../../../contract/operations.ts';
import { type Html, html } from '../html.ts';
import { notVerified, withLinks } from '../kit/agent-text.ts';

type Text = Html | string | readonly (Html | string)[];

/** Several texts of one agent under one label; null leaves an entry out. */
export function agentWords(
  by: string | null,
  entries: readonly (readonly [name: string, text: Text | null])[],
  more = '',
): Html {
  const given = entries.filter((entry): entry is readonly [string, Text] => entry[1] !== null);
  return html`<div class="written">${notVerified(by, more)}
<dl>${given.map(([name, text]) => html`<div><dt>${name}</dt><dd class="written-text" dir="auto">${text}</dd></div>`)}</dl></div>`;
}

/** A read as agents write it down; it ends before punctuation that closes a sentence. */
const CALL = /\bGET (\/api\/v1\/[\x21-\x7e]*)/g;
// It begins after any other character only: from each of a thousand dots it would be tried anew.
const CLOSING = /(?<![.,;:!?)\]"'`])[.,;:!?)\]"'`]+$/;

const READS = OPERATIONS.filter(({ method }) => method === 'GET').map(
  ({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[A-Za-z]+\}/g, '[^/]+')}$`),
);

/** Whether an address can be opened as it is: a read of this service with nothing left to fill in. */
function isRead(address: string): boolean {
  const url = URL.parse(address, 'http://here');
  return url !== null && address.startsWith(url.pathname) && READS.some((read) => read.test(url.pathname));
}

/**
 * An agent's text in which the reads of this service and the addresses are links. A read opens the answer of the API; one
 * with a part in braces stays text.
 */
export function withCalls(text: string): (Html | string)[] {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(CALL)) {
    const address = match[1]!.replace(CLOSING, '');
    if (/[{}<>"'\\]/.test(address) || !isRead(address)) continue;
    const start = match.index + 'GET '.length;
    parts.push(...withLinks(text.slice(end, start)), html`<a href="${address}" rel="nofollow ugc">${address}</a>`);
    end = start + address.length;
  }
  return [...parts, ...withLinks(text.slice(end))];
}
