import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  CONNECTIONS_MAX_PER_ADDRESS,
  UNSENT_MAX_BYTES_PER_ADDRESS,
  UNSENT_MAX_BYTES_TOTAL,
} from '../../contract/limits/limits.ts';
import { bucketOf } from './address.ts';

interface Ceilings {
  connections: number;
  unsentBytes: number;
  unsentBytesTotal: number;
}

const CEILINGS: Ceilings = {
  connections: CONNECTIONS_MAX_PER_ADDRESS,
  unsentBytes: UNSENT_MAX_BYTES_PER_ADDRESS,
  unsentBytesTotal: UNSENT_MAX_BYTES_TOTAL,
};

/** Interval at which unsent bytes are added up; between two sums the processor bounds what can be made. */
const SUM_MS = 100;
/** Requests that one connection may send ahead of their answers. No client of today sends any. */
const AHEAD_MAX_REQUESTS = 16;
/** Connections above the ceiling that are told why; more are ended without a word, since each word costs. */
const TOLD_MAX_CONNECTIONS = 32;

/** One connection, with the answers on their way to it. */
class Held {
  readonly socket: Socket;
  readonly responses = new Set<ServerResponse>();

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** The answer that is being sent counts with the bytes of its socket. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const response of this.responses) bytes += response.writableLength;
    return bytes;
  }
}

/**
 * What one address may take of a server: connections, and bytes of answers that it does not read. Where a proxy stands in
 * front, every connection is the proxy's, so that these ceilings are the proxy's to set.
 */
export class CallerCeilings implements Disposable {
  /** Connections refused since the start. */
  refused = 0;
  /** Connections ended since the start because too many bytes were not read. */
  ended = 0;
  readonly ceilings: Ceilings;
  readonly #byAddress = new Map<string, Set<Held>>();
  readonly #bySocket = new WeakMap<Socket, Held>();
  readonly #timer: NodeJS.Timeout;

  constructor(ceilings: Partial<Ceilings> = {}) {
    this.ceilings = { ...CEILINGS, ...ceilings };
    this.#timer = setInterval(() => this.endSlowReaders(), SUM_MS).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Takes up a new connection. `told` and `ended`: its address has too many, and it gets a word about it or none. */
  admit(socket: Socket): 'admitted' | 'told' | 'ended' {
    const address = bucketOf(socket.remoteAddress ?? '');
    const own = this.#byAddress.get(address) ?? new Set<Held>();
    this.#byAddress.set(address, own);
    const held = new Held(socket);
    own.add(held);
    this.#bySocket.set(socket, held);
    socket.once('close', () => {
      own.delete(held);
      if (own.size === 0) this.#byAddress.delete(address);
    });
    if (own.size <= this.ceilings.connections) return 'admitted';
    this.refused += 1;
    return own.size <= this.ceilings.connections + TOLD_MAX_CONNECTIONS ? 'told' : 'ended';
  }

  /** Follows an answer until it is sent. False if the connection was ended, because it sends requests too far ahead. */
  follow({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const held = this.#bySocket.get(socket);
    if (held === undefined) return true;
    held.responses.add(response);
    // It comes once in any case; to say so would cost more than the rest.
    response.on('close', () => held.responses.delete(response));
    if (held.responses.size <= AHEAD_MAX_REQUESTS) return true;
    this.#end(held);
    return false;
  }

  unsentBytes(): number {
    let bytes = 0;
    for (const own of this.#byAddress.values()) bytes += sum(own);
    return bytes;
  }

  /** Ends connections that hold most until each address, and all of them together, are under their ceilings. */
  endSlowReaders(): void {
    const all: Held[] = [];
    for (const own of this.#byAddress.values()) {
      this.#endDownTo(this.ceilings.unsentBytes, [...own]);
      all.push(...own);
    }
    this.#endDownTo(this.ceilings.unsentBytesTotal, all);
  }

  #endDownTo(ceiling: number, connections: readonly Held[]): void {
    let bytes = sum(connections);
    if (bytes <= ceiling) return;
    const sized = connections.map((held) => ({ held, own: held.unsentBytes })).sort((a, b) => b.own - a.own);
    for (const { held, own } of sized) {
      if (bytes <= ceiling) return;
      this.#end(held);
      bytes -= own;
    }
  }

  #end(held: Held): void {
    this.ended += 1;
    held.responses.clear();
    held.socket.destroy();
  }
}

function sum(connections: Iterable<Held>): number {
  let bytes = 0;
  for (const held of connections) bytes += held.unsentBytes;
  return bytes;
}
