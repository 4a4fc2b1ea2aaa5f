import { BlockList, isIP } from 'node:net';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { H3Event } from 'h3';
import { Problem } from '../../server-kit/problem.ts';

/** Host names that this server answers to, without ports, IPv6 addresses in brackets; null for any. */
export type AllowedHosts = readonly string[] | null;

const LOCAL = ['localhost', '127.0.0.1', '[::1]'] as const;
const ANY = '*';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * A server on a loopback address has no foreign names: a request for one comes from a page that pointed its own name
 * here (DNS rebinding). A server on a public address may have names that nobody configured, so that it checks only
 * against a configured list.
 */
export function allowedHosts(config: { host: string; baseUrl: string | null; allowedHosts: string[] }): AllowedHosts {
  const stated = [...(config.baseUrl === null ? [] : [new URL(config.baseUrl).hostname]), ...config.allowedHosts];
  if (stated.includes(ANY) || (stated.length === 0 && !isLocal(config.host))) return null;
  return [...new Set([...LOCAL, ...stated])];
}

function isLocal(host: string): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Throws FORBIDDEN for a request to a foreign host, or from a page of one. */
export function checkHost(event: H3Event, allowed: AllowedHosts): void {
  if (allowed === null) return;
  const names = [...allowed];
  const { headers, url } = event.req;
  if (!validateHostHeader(headers.get('host') ?? new URL(url).host, names).ok) throw foreign('Host');
  if (!validateOriginHeader(headers.get('origin'), names).ok) throw foreign('Origin');
}

function foreign(header: 'Host' | 'Origin'): Problem {
  return new Problem('FORBIDDEN', {
    message: `The header ${header} names a host that this server does not serve. Its operator can allow the name in the setting ALLOWED_HOSTS or BASE_URL.`,
  });
}
