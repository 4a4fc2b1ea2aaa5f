import type { H3Event } from 'h3';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { routeOf } from '../../server-kit/mount.ts';
import { doorAt, operationFinder } from '../operation-finder.ts';
import { type AllowedHosts, checkHost, checkPage, isForeignPage } from './allowed-hosts.ts';

/** Methods that pages may use at all; the others are left to programs. */
const PAGE_METHODS = ['GET', 'HEAD', 'POST'] as const;

/**
 * Who may ask: every name of the server, every page for what it reads, and only the server's own pages for what they
 * write, so that no other page writes under the address of its visitor.
 */
export class Doorkeeper {
  readonly #allowed: AllowedHosts;
  readonly #operationOf: (event: H3Event) => Operation | undefined;
  /** Routes whose POST writes. */
  readonly #writing: ReadonlySet<string>;

  constructor(operations: readonly Operation[], allowed: AllowedHosts) {
    this.#allowed = allowed;
    this.#operationOf = operationFinder(operations);
    const writes = operations.filter((operation) => operation.method === 'POST' && isWrite(operation));
    // The doors of other protocols refuse foreign pages altogether where names are stated, and their writes elsewhere.
    const closed = allowed === null ? [] : DOORS;
    this.#writing = new Set([...writes, ...closed].map(({ path }) => routeOf(path)));
  }

  /** Throws FORBIDDEN. Probes are left out: they are asked by address, and hold nothing. */
  check(event: H3Event): void {
    const operation = this.#operationOf(event);
    const route = event.context.matchedRoute?.route;
    const bucket = operation?.bucket ?? doorAt(route)?.bucket;
    if (bucket !== 'none') checkHost(event, this.#allowed);
    if (operation !== undefined && isWrite(operation)) checkPage(event, this.#allowed);
  }

  /** Of the methods that a path answers, those that the page which asks may use. */
  methodsForPage(event: H3Event, answered: readonly string[]): string[] {
    const writes = this.#writing.has(event.context.matchedRoute?.route ?? '');
    const closed = writes && isForeignPage(event, this.#allowed);
    return PAGE_METHODS.filter((method) => answered.includes(method) && !(closed && method === 'POST'));
  }
}
