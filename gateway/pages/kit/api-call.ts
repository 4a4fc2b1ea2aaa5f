import { httpInput } from '../../../contract/arguments.ts';
import type { Operation } from '../../../contract/operation.ts';
import { commandOf } from '../../description/curl.ts';
import { type Html, html } from '../html.ts';

/** Path and query of a read with these arguments, for people to copy; safe between quotes in a shell. */
export function apiCall(operation: Operation, given: Record<string, unknown> = {}): string {
  return httpInput(operation, given).path.replaceAll("'", '%27');
}

/** A GET or POST as answers print it (`POST /path`, with its body), for people to copy; ID stands for an id. */
export function callToCopy(
  { call, body }: { call: string; body?: Record<string, unknown> | undefined },
  baseUrl: string,
): Html {
  const path = call.slice(call.indexOf(' ') + 1).replaceAll(/\{[A-Za-z]+\}/g, 'ID');
  return html`<pre><code>${commandOf(baseUrl + path, body)}</code></pre>`;
}
