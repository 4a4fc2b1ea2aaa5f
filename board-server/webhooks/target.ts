import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { WEBHOOK_URL_MAX_CHARACTERS } from '../../contract/limits.ts';

/** Every address of a host name; throws when there is none. */
export type Resolve = (host: string) => Promise<string[]>;

const DNS_TIMEOUT_MS = 3_000;
const DNS_TRIES = 2;
/** Below this lie ports of system services that an HTTP request could be mistaken by. */
const FIRST_USER_PORT = 1024;
const WEB_PORTS = [80, 443];
/** Of IPv6, all that is given out to the public. ipaddr.js calls some of the rest, such as ::127.0.0.1, unicast. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Addresses in public ranges that a cloud answers its own machines at. */
const CLOUD_INTERNAL = ['168.63.129.16'];

/** Why a target is not taken, in words for its owner. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TargetRefused';
  }
}

/** Where a delivery goes: addresses that were checked, and which of them are private and allowed by the operator. */
export interface CheckedAddresses {
  addresses: string[];
  allowed: string[];
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

  /** The addresses of a target, all of which deliveries may go to. Throws TargetRefused, or as the resolver does. */
  async addressesOf(url: URL): Promise<CheckedAddresses> {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.#checked([host]);
    // RFC 6761: these never leave the machine, whatever a name server says.
    if (host === 'localhost' || host.endsWith('.localhost')) return this.#checked(['127.0.0.1', '::1']);
    return this.#checked(await this.#resolve(host));
  }

  #checked(addresses: string[]): CheckedAddresses {
    const allowed = addresses.filter((address) => !isPublic(address));
    if (addresses.length === 0 || !allowed.every((address) => this.#isAllowed(address))) {
      throw new TargetRefused('expected a host all of whose addresses are publicly reachable');
    }
    return { addresses, allowed };
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

function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || CLOUD_INTERNAL.includes(text)) return false;
  return address.kind() === 'ipv4' || address.match(PUBLIC_IPV6);
}
