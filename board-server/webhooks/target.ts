import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { WEBHOOK_URL_MAX_CHARACTERS } from '../../contract/limits/limits.ts';

/** Every address of a host name; throws when there is none. */
export type Resolve = (host: string) => Promise<string[]>;

const DNS_TIMEOUT_MS = 3_000;
const DNS_TRIES = 2;
/** Lower ports belong to system services, some of which could take an HTTP request for a command of their own. */
const FIRST_USER_PORT = 1024;
const WEB_PORTS = [80, 443];
/**
 * Every IPv6 address that is given out to the public. ipaddr.js calls some of the others, such as ::127.0.0.1, unicast.
 */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Addresses in public ranges at which a cloud answers its own machines. */
const CLOUD_INTERNAL = ['168.63.129.16'];

/** Why a target is not taken, in words for its owner. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TargetRefused';
  }
}

/** Where one attempt goes: one of the host's addresses, all of which were checked. */
export interface CheckedTarget {
  url: URL;
  address: string;
  /** Not public, but in a range that the operator allows. */
  isAllowedPrivate: boolean;
}

/**
 * Resolves by DNS and without the threads that getaddrinfo would occupy, so that slow names stop nothing else. The hosts
 * file is not read.
 */
export function resolveByDns(): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('the name has no address');
    return addresses;
  };
}

/** Which addresses webhooks may be delivered to: public ones, and ranges that the operator allows. */
export class TargetPolicy {
  readonly #allow: [ipaddr.IPv4 | ipaddr.IPv6, number][];
  readonly #resolve: Resolve;

  /** `allow`: addresses or CIDR ranges. Throws for one that is neither. */
  constructor(allow: readonly string[], resolve: Resolve) {
    this.#allow = allow.map((text) =>
      text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.process(text), isIP(text) === 6 ? 128 : 32],
    );
    this.#resolve = resolve;
  }

  /** The address of a target by its form alone. Throws TargetRefused. */
  parse(text: string): URL {
    const url = text.length <= WEBHOOK_URL_MAX_CHARACTERS ? URL.parse(text) : null;
    if (!url)
      throw new TargetRefused(`expected an absolute address of at most ${WEBHOOK_URL_MAX_CHARACTERS} characters`);
    // URL.parse mends what lacks its slashes; such a text is not an absolute address.
    if (!/^https?:\/\/[^/\\]/i.test(text))
      throw new TargetRefused('expected an absolute address with http:// or https://');
    if (url.username !== '' || url.password !== '') throw new TargetRefused('expected no user name in it');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    if (port < FIRST_USER_PORT && !WEB_PORTS.includes(port)) {
      throw new TargetRefused(`expected port 80, 443 or from ${FIRST_USER_PORT}`);
    }
    const host = hostOf(url);
    if (isIP(host) !== 0) this.#checked([host]);
    return url;
  }

  /**
   * Where the attempt of this number goes: the addresses take turns, so that a host with one that is down is reached at
   * the next attempt. Only one is dialled, because a turn is taken for the address and a name may have any of them.
   * Throws TargetRefused where deliveries may not go to all of the addresses, or as the resolver does.
   */
  async locate(url: URL, turn: number): Promise<CheckedTarget> {
    const addresses = await this.addressesOf(url);
    const address = addresses[turn % addresses.length]!;
    return { url, address, isAllowedPrivate: !isPublic(address) };
  }

  /** The addresses of a target, all of which deliveries may go to. Throws TargetRefused, or as the resolver does. */
  async addressesOf(url: URL): Promise<string[]> {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.#checked([host]);
    // RFC 6761: these never leave the machine, whatever a name server says.
    if (host === 'localhost' || host.endsWith('.localhost')) return this.#checked(['127.0.0.1', '::1']);
    return this.#checked(await this.#resolve(host));
  }

  #checked(addresses: string[]): string[] {
    const isUsable = (address: string) => isPublic(address) || this.#isAllowed(address);
    if (addresses.length === 0 || !addresses.every(isUsable)) {
      throw new TargetRefused('expected a host all of whose addresses are publicly reachable');
    }
    return addresses;
  }

  #isAllowed(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return this.#allow.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits));
  }
}

/** The host as a resolver takes it: without the brackets of IPv6 and without a final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** What turns are counted by: an IPv4 address, or the /64 of an IPv6 one, which one machine usually has whole. */
export function placeOf(text: string): string {
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}

function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || CLOUD_INTERNAL.includes(text)) return false;
  return address.kind() === 'ipv4' || address.match(PUBLIC_IPV6);
}
