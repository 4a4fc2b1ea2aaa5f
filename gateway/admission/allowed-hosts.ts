import { validateHostHeader } from '@modelcontextprotocol/server';
import type { H3Event } from 'h3';
import { isLoopback } from '../../server-kit/limits/address.ts';
import { Problem } from '../../server-kit/problem.ts';

/**
 * Host names that this server answers to, IPv6 addresses in brackets, and with a port those of BASE_URL, for its pages. Null where
 * nobody stated any: every Host is answered, and a page must come from the Host that it asks. `*` in the list allows every Host and
 * every page.
 */
export type AllowedHosts = readonly string[] | null;

const LOCAL = ['localhost', '127.0.0.1', '[::1]'] as const;
const ANY = '*';

/**
 * A server on a loopback address has no foreign names: a request for one comes from a page that pointed its own name
 * here (DNS rebinding). A server on a public address may have names that nobody configured, so that it checks only
 * against a configured list.
 */
export function allowedHosts(config: { host: string; baseUrl: string | null; allowedHosts: string[] }): AllowedHosts {
  const base = config.baseUrl === null ? null : new URL(config.baseUrl);
  const stated = [...(base === null ? [] : [base.hostname, base.host]), ...config.allowedHosts];
  if (stated.includes(ANY)) return [ANY];
  if (stated.length === 0 && !isLoopback(config.host)) return null;
  return [...new Set([...LOCAL, ...stated])];
}

/** The last Host that each list allowed: to read one parses it as an address, and most requests have the same. */
const lastAllowed = new WeakMap<readonly string[], string>();

/** Throws FORBIDDEN for a request to a foreign host. */
export function checkHost(event: H3Event, allowed: AllowedHosts): void {
  if (allowed === null || allowed.includes(ANY)) return;
  const host = hostOf(event);
  if (lastAllowed.get(allowed) === host) return;
  if (!validateHostHeader(host, [...allowed]).ok) throw foreign('Host');
  lastAllowed.set(allowed, host);
}

/** Throws FORBIDDEN for a request to a foreign host, or from a page of one where names are stated. */
export function checkHostAndPage(event: H3Event, allowed: AllowedHosts): void {
  checkHost(event, allowed);
  if (allowed === null || allowed.includes(ANY)) return;
  const origin = event.req.headers.get('origin');
  if (origin !== null && !isOwnPage(event, origin, allowed)) throw foreign('Origin');
}

/** Throws FORBIDDEN for a request that a page of another site sent through its visitor's browser. */
export function checkPage(event: H3Event, allowed: AllowedHosts): void {
  if (isForeignPage(event, allowed)) throw foreign('Origin');
}

/**
 * Whether a page of another site sent the request. Browsers name the page in Origin on everything but plain reads, and
 * newer ones say in Sec-Fetch-Site how it relates to the server; no page can change either. Programs send neither.
 */
export function isForeignPage(event: H3Event, allowed: AllowedHosts): boolean {
  if (allowed?.includes(ANY)) return false;
  const { headers } = event.req;
  const site = headers.get('sec-fetch-site');
  // Holds also where a proxy in between changed Host.
  if (site === 'same-origin' || site === 'none') return false;
  const origin = headers.get('origin');
  if (origin === null) return site !== null;
  return !isOwnPage(event, origin, allowed);
}

/**
 * Whether a page has the host and port that the request asks, or a stated name. Another port is another program: a page on
 * localhost:5173 is not one of the service on localhost:3000. A stated name without a port stands for the default port.
 */
function isOwnPage(event: H3Event, origin: string, allowed: AllowedHosts): boolean {
  const page = URL.parse(origin);
  if (page === null || page.host === '') return false;
  if (page.host === URL.parse(`${page.protocol}//${hostOf(event)}`)?.host) return true;
  const isLocalName = (LOCAL as readonly string[]).includes(page.host);
  return allowed !== null && !isLocalName && allowed.includes(page.host);
}

function hostOf(event: H3Event): string {
  return event.req.headers.get('host') ?? new URL(event.req.url).host;
}

function foreign(header: 'Host' | 'Origin'): Problem {
  return new Problem('FORBIDDEN', {
    message: `The header ${header} names a host that this server does not serve. Its operator can allow the name in the setting ALLOWED_HOSTS or BASE_URL.`,
  });
}
