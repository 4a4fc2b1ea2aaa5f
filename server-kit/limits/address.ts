import { isIP } from 'node:net';
import type { H3Event } from 'h3';
import ipaddr from 'ipaddr.js';

/** The prefix of an IPv6 address that belongs to one customer, who may change the other bits at will. */
const IPV6_PREFIX_BITS = 64;
/** The prefixes within which addresses are counted as one group: what one network or site has at its disposal. */
const IPV4_GROUP_BITS = 24;
const IPV6_GROUP_BITS = 48;

/** Whether a server that listens on this address can be reached from its own machine only. */
export function isLoopback(host: string): boolean {
  return isIP(host) === 0 ? host === 'localhost' : ipaddr.process(host).range() === 'loopback';
}

/**
 * The address that a request is counted under: IPv4 as it is, IPv6 by its /64. X-Forwarded-For is trusted only for the
 * proxies known to stand in front, counted from the right; the header Forwarded is never read.
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
  return forwardedBy(direct, event.req.headers.get('x-forwarded-for') ?? '', trustedProxies);
}

function forwardedBy(direct: string, header: string, trustedProxies: number): string {
  const forwarded = header.split(',').map((part) => part.trim());
  const entry = forwarded.filter((part) => part !== '').at(-trustedProxies);
  // What cannot be read is counted under the proxy: under one word all such clients would share a bucket with strangers.
  return (entry === undefined ? null : addressIn(entry)) ?? direct;
}

/** An entry in brackets, or IPv4, each with a port; some proxies add one. */
const WITH_PORT = /^(?:\[([0-9A-Fa-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/;

/** The address in one entry of X-Forwarded-For: bare, quoted, in brackets or with a port; null where it is none. */
function addressIn(entry: string): string | null {
  if (entry.length > ENTRY_MAX_CHARACTERS) return null;
  const text = entry.replace(/^"(.*)"$/, '$1').trim();
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  return isIP(address) === 0 ? null : address;
}

/** Addresses whose parse is remembered, because a few callers send most requests. Cleared when full. */
const KEPT_ADDRESSES = 4096;
/** Longest form: an IPv6 address that ends in an IPv4 one. */
const ADDRESS_MAX_CHARACTERS = 45;
/** An address with quotes, brackets, a port and some blanks. */
const ENTRY_MAX_CHARACTERS = 64;
const kept = new Map<string, string>();

/** The name under which an address is counted; `unknown` for a text that is no address. */
export function bucketOf(text: string): string {
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
  return prefixOf(address, IPV6_PREFIX_BITS);
}

/**
 * The group of an address as `clientAddress` gives it: its /24 (IPv4) or /48 (IPv6). Voices from one group count as one
 * where agreement matters. A text that is no address is a group of its own.
 */
export function addressGroup(address: string): string {
  const [ip = ''] = address.split('/', 1);
  if (!ipaddr.isValid(ip)) return address;
  const parsed = ipaddr.process(ip);
  return prefixOf(parsed, parsed.kind() === 'ipv4' ? IPV4_GROUP_BITS : IPV6_GROUP_BITS);
}

function prefixOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, place) => (place * 8 < bits ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
