import { commandOf } from '../description/curl.ts';
import { type Html, html } from './html.ts';

/** A GET or POST as answers print it (`POST /path`, with its body), for people to copy; ID stands for an id. */
export function callToCopy(
  { call, body }: { call: string; body?: Record<string, unknown> | undefined },
  baseUrl: string,
): Html {
  const path = call.slice(call.indexOf(' ') + 1).replaceAll(/\{[A-Za-z]+\}/g, 'ID');
  return html`<pre><code>${commandOf(baseUrl + path, body)}</code></pre>`;
}
