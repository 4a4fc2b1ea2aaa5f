import type { H3Event } from 'h3';
import ipaddr from 'ipaddr.js';

/** The prefix of an IPv6 address that belongs to one customer, who may change the other bits at will. */
const IPV6_PREFIX_BITS = 64;

/**
 * The address that a request is counted under: IPv4 as it is, IPv6 by its /64. X-Forwarded-For is trusted only for the
 * proxies known to stand in front, counted from the right.
 */
export function clientAddress(event: H3Event, trustedProxies: number): string {
  return bucketOf(sentAddress(event, trustedProxies));
}

/** The client's whole address, for the server behind; `unknown` if there is none. */
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

/** Addresses whose parse is remembered, because a few callers send most requests. Cleared when full. */
const KEPT_ADDRESSES = 4096;
/** Longest form: an IPv6 address that ends in an IPv4 one. */
const ADDRESS_MAX_CHARACTERS = 45;
const kept = new Map<string, string>();

function bucketOf(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const bucket = readBucket(text);
  if (kept.size >= KEPT_ADDRESSES) kept.clear();
  // A client can make up a text of any length.
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
