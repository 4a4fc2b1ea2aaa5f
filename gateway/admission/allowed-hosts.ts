import { BlockList, isIP } from 'node:net';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { H3Event } from 'h3';
import { Problem } from '../../server-kit/problem.ts';

/** Names under which this server may be asked, without ports; null for any. IPv6 addresses stand in brackets. */
export type AllowedHosts = readonly string[] | null;

const LOCAL = ['localhost', '127.0.0.1', '[::1]'] as const;
const ANY = '*';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * A server that listens on this machine only is reached by no foreign name but through a page that had its own name
 * point here (DNS rebinding). One that listens to the world may have names that nobody stated, so it is held to a list
 * only where there is one.
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

/** Refuses a request for a foreign name, or from a page of one, with FORBIDDEN. */
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
