import type { H3Event } from 'h3';
import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name one customer; the rest are theirs to change at will. */
const IPV6_PREFIX_BITS = 64;

/**
 * The address that a request is counted under: IPv4 as it is, IPv6 by its /64. X-Forwarded-For is believed only for as
 * many proxies as are known to stand in front, counted from the right.
 */
export function clientAddress(event: H3Event, trustedProxies: number): string {
  const direct = event.req.ip ?? '';
  if (trustedProxies < 1) return bucketOf(direct);
  const forwarded = (event.req.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  return bucketOf(forwarded.filter((part) => part !== '').at(-trustedProxies) ?? direct);
}

function bucketOf(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray().map((byte, place) => (place * 8 < IPV6_PREFIX_BITS ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${IPV6_PREFIX_BITS}`;
}
