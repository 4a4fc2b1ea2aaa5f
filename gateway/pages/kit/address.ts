import { httpInput } from '../../../contract/interfaces/arguments.ts';
import type { Operation } from '../../../contract/operation.ts';
import { commandOf } from '../../description/curl.ts';
import { type Html, html } from '../html.ts';

/** Longest address that browsers, proxies and servers accept, with a margin. */
export const ADDRESS_MAX_CHARACTERS = 8_000;

/** The parameters of these names that have a value. */
export function givenOf<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given = names.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}

/** A path with these parameters. */
export function pathWith(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The address with some parameters changed; an empty value removes one. */
export function addressWith(path: string, query: URLSearchParams, changes: Record<string, string>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed.size === 0 ? path : `${path}?${changed}`;
}

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

/** The pages of a sponsor, of a condition and of a country. */
export function sponsorAddress(name: string): string {
  return `/sponsors/${encodeURIComponent(name)}`;
}

export function conditionAddress(name: string): string {
  return `/conditions/${encodeURIComponent(name)}`;
}

export function countryAddress(name: string): string {
  return `/countries/${encodeURIComponent(name)}`;
}
