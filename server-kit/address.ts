import type { H3Event } from 'h3';
import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name one customer; the rest are theirs to change at will. */
const IPV6_PREFIX_BITS = 64;

/**
 * The address that a request is counted under: IPv4 as it is, IPv6 by its /64. X-Forwarded-For is believed only for as
 * many proxies as are known to stand in front, counted from the right.
 */
export function clientAddress(event: H3Event, trustedProxies: number): string {
  return bucketOf(sentAddress(event, trustedProxies));
}

/** The client's whole address, to be handed on to a server behind this one; `unknown` where there is none. */
export function clientIp(event: H3Event, trustedProxies: number): string {
  const text = sentAddress(event, trustedProxies);
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : 'unknown';
}

function sentAddress(event: H3Event, trustedProxies: number): string {
  const direct = event.req.ip ?? '';
  if (trustedProxies < 1) return direct;
  const forwarded = (event.req.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  return forwarded.filter((part) => part !== '').at(-trustedProxies) ?? direct;
}

/** Addresses that were read before: the same few callers send most requests. Begun anew when full. */
const KEPT_ADDRESSES = 4096;
/** Of an IPv6 address with an IPv4 one in it. */
const ADDRESS_MAX_CHARACTERS = 45;
const kept = new Map<string, string>();

function bucketOf(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const bucket = readBucket(text);
  if (kept.size >= KEPT_ADDRESSES) kept.clear();
  // What a client may have made up can be of any length.
  if (text.length <= ADDRESS_MAX_CHARACTERS) kept.set(text, bucket);
  return bucket;
}

function readBucket(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray().map((byte, place) => (place * 8 < IPV6_PREFIX_BITS ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${IPV6_PREFIX_BITS}`;
}
