import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
/** Our servers never send a longer head. */
const HEAD_MAX_BYTES = 16_384;
const READ_BYTES = 65_536;

/** Bytes of one request; they may be sent more than once. */
export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
}

export function postRequest(path: string, json: string): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
}

/** A claim that no other equals; `writer` names the program that writes it. */
export function claimRequest(writer: string, number: number): Buffer {
  const claim = {
    objectiveId: 'map-one-disease',
    scope: `${writer} ${number}`,
    intent: `Benchmark claim ${writer} ${number}: counts what the registries hold and hands back a table.`,
    agentName: `agent-${number % 97}`,
  };
  return postRequest('/api/v1/claims', JSON.stringify(claim));
}

/**
 * A connection to 127.0.0.1 that stays open and carries one request at a time. It reads each answer to its end, discards
 * its body, and uses one buffer for all of them. The client shares the server's cores: this one costs 20 µs of CPU for an
 * answer of 34 kB, where `node:http` costs 106 to 149 and collects garbage.
 */
export class Connection {
  readonly #port: number;
  readonly #from: string | undefined;
  #socket: Socket | null = null;
  #head = '';
  #status = 0;
  /** Bytes of the body that have not come yet; null while the head is read. */
  #left: number | null = null;
  #waiting: PromiseWithResolvers<number> | null = null;

  /** `from` is the address of the loopback network that it comes from; default the usual one. */
  constructor(origin: string, from?: string) {
    const { hostname, port } = new URL(origin);
    if (hostname !== '127.0.0.1') throw new Error('the load goes to 127.0.0.1 only');
    this.#port = Number(port);
    this.#from = from;
  }

  /**
   * Resolves with the answer's status when all of it has come; with 0 when the connection failed first, and then the next
   * request opens a new one. Rejects when the end of an answer cannot be known.
   */
  send(request: Buffer): Promise<number> {
    if (this.#waiting) throw new Error('a connection carries one request at a time');
    this.#waiting = Promise.withResolvers();
    this.#socket ??= this.#open();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    const onread = {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (length: number, buffer: Uint8Array): boolean => {
        this.#take(buffer as Buffer, length);
        return true;
      },
    };
    const local = this.#from === undefined ? {} : { localAddress: this.#from };
    const socket = connect({ host: '127.0.0.1', port: this.#port, ...local, noDelay: true, onread });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#finish((waiting) => waiting.resolve(0));
    });
    return socket;
  }

  #take(buffer: Buffer, length: number): void {
    if (this.#left === null) this.#takeHead(buffer, length);
    else this.#left -= length;
    if (this.#left !== null && this.#left <= 0) this.#finish((waiting) => waiting.resolve(this.#status));
  }

  #takeHead(buffer: Buffer, length: number): void {
    const before = this.#head.length;
    this.#head += buffer.toString('latin1', 0, Math.min(length, HEAD_MAX_BYTES));
    const end = this.#head.indexOf(HEAD_END);
    try {
      if (end < 0 && this.#head.length > HEAD_MAX_BYTES) throw new Error('an answer with an endless head');
      if (end < 0) return;
      const { status, bodyBytes } = readHead(this.#head.slice(0, end));
      this.#status = status;
      this.#left = bodyBytes - (length - (end + HEAD_END.length - before));
    } catch (fault) {
      this.close();
      this.#finish((waiting) => waiting.reject(fault));
    }
  }

  #finish(settle: (waiting: PromiseWithResolvers<number>) => void): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#head = '';
    this.#left = null;
    if (waiting) settle(waiting);
  }
}

/** Status and length of the body; throws when an answer with a body does not state its length. */
export function readHead(head: string): { status: number; bodyBytes: number } {
  const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  const length = /^content-length: *(\d+)\r?$/im.exec(head)?.[1];
  if (length !== undefined) return { status, bodyBytes: Number(length) };
  if (status === 204 || status === 304) return { status, bodyBytes: 0 };
  throw new Error(`an answer with status ${status} states no content-length, by which its end is known`);
}
