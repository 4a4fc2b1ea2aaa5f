import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * One connection to PostgreSQL: protocol 3.0, trust authentication, values as text, one request at a time. As much as the
 * comparison needs, because a driver is no dependency of this project.
 */

export type TextRow = (string | null)[];

const PROTOCOL_3 = 196_608;
const HEADER_BYTES = 5;
const READY = 'Z';

interface Pending {
  rows: TextRow[];
  failure: Error | null;
  /** Settled when the server is ready for the next request. */
  done: PromiseWithResolvers<TextRow[]>;
  /** Settled when the server takes copied data. */
  copying: PromiseWithResolvers<void>;
}

export class PostgresConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #pending: Pending;

  private constructor(socket: Socket, pending: Pending) {
    this.#socket = socket;
    this.#pending = pending;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#broken(error));
    socket.on('close', () => this.#broken(new Error('PostgreSQL closed the connection')));
  }

  /** Connects through the Unix socket as the cluster's first user. */
  static async open(socketPath: string): Promise<PostgresConnection> {
    const socket = connect(socketPath);
    const pending = newPending();
    const connection = new PostgresConnection(socket, pending);
    await Promise.race([once(socket, 'connect'), pending.done.promise]);
    const body = Buffer.concat([int32(PROTOCOL_3), text('user'), text('postgres'), text('database'), text('postgres')]);
    socket.write(Buffer.concat([int32(body.length + 5), body, Buffer.of(0)]));
    await pending.done.promise;
    return connection;
  }

  /** Statements without parameters; the rows of all of them. */
  query(sql: string): Promise<TextRow[]> {
    return this.#send(message('Q', text(sql)));
  }

  async prepare(name: string, sql: string): Promise<void> {
    await this.#send(message('P', text(name), text(sql), int16(0)), message('S'));
  }

  /** Runs a prepared statement, in one round trip. */
  execute(name: string, parameters: string[]): Promise<TextRow[]> {
    const values = parameters.flatMap((value) => {
      const bytes = Buffer.from(value);
      return [int32(bytes.length), bytes];
    });
    const bind = message('B', text(''), text(name), int16(0), int16(parameters.length), ...values, int16(0));
    return this.#send(bind, message('E', text(''), int32(0)), message('S'));
  }

  /** Sends the lines of a COPY ... FROM STDIN; each chunk is one or more whole lines. */
  async copyIn(sql: string, chunks: AsyncIterable<string>): Promise<void> {
    const done = this.#send(message('Q', text(sql)));
    const { copying } = this.#pending;
    await Promise.race([copying.promise, done]);
    for await (const chunk of chunks) {
      if (!this.#socket.write(message('d', Buffer.from(chunk))))
        await Promise.race([once(this.#socket, 'drain'), done]);
    }
    this.#socket.write(message('c'));
    await done;
  }

  async close(): Promise<void> {
    if (this.#socket.closed) return;
    const closed = once(this.#socket, 'close');
    this.#socket.end(message('X'));
    await closed;
  }

  #send(...messages: Buffer[]): Promise<TextRow[]> {
    this.#pending = newPending();
    this.#socket.write(Buffer.concat(messages));
    return this.#pending.done.promise;
  }

  #read(chunk: Buffer): void {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    let at = 0;
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (bytes.length < end) break;
      this.#take(String.fromCharCode(bytes[at]!), bytes.subarray(at + HEADER_BYTES, end));
      at = end;
    }
    this.#received = bytes.subarray(at);
  }

  #take(kind: string, body: Buffer): void {
    const pending = this.#pending;
    if (kind === 'D') pending.rows.push(rowOf(body));
    else if (kind === 'E') pending.failure ??= new Error(`PostgreSQL: ${errorText(body)}`);
    else if (kind === 'R' && body.readInt32BE(0) !== 0) this.#broken(new Error('PostgreSQL asks for a password'));
    else if (kind === 'G') pending.copying.resolve();
    else if (kind === READY) {
      if (pending.failure) pending.done.reject(pending.failure);
      else pending.done.resolve(pending.rows);
    }
  }

  #broken(error: Error): void {
    this.#pending.done.reject(this.#pending.failure ?? error);
  }
}

function newPending(): Pending {
  const done = Promise.withResolvers<TextRow[]>();
  // A request may fail while its sender still waits for something else; it learns of it when it waits for this one.
  done.promise.catch(() => undefined);
  return { rows: [], failure: null, done, copying: Promise.withResolvers<void>() };
}

function rowOf(body: Buffer): TextRow {
  const row: TextRow = [];
  let at = 2;
  for (let column = body.readInt16BE(0); column > 0; column -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    row.push(length < 0 ? null : body.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return row;
}

/** Severity, code and message of an error, which come as fields of a letter and a text each. */
function errorText(body: Buffer): string {
  const fields = body.toString('utf8').split('\0');
  return ['S', 'C', 'M'].map((letter) => fields.find((field) => field.startsWith(letter))?.slice(1) ?? '').join(' ');
}

function message(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}
