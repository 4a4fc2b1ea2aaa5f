import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { leaveUnchecked } from './runner/openapi-check.ts';

/** A connection on which the test sends raw bytes. */
export interface RawConnection {
  socket: Socket;
  write(bytes: string | Buffer): void;
  /** Everything received so far, as Latin-1. */
  received(): string;
  /** Resolves once `pattern` has been received. Rejects when the connection ends before. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with everything received once the other side has closed. */
  closed(): Promise<string>;
}

export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  let ended = false;
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    tell();
  });
  socket.on('error', () => {});
  for (const event of ['end', 'close'] as const) {
    socket.on(event, () => {
      ended = true;
      tell();
    });
  }
  await once(socket, 'connect');
  const when = (holds: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds() && !ended) return;
        watchers.delete(look);
        if (holds()) resolve(text);
        else reject(new Error(`the connection ended after: ${text}`));
      };
      watchers.add(look);
      look();
    });
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    received: () => text,
    until: (pattern) => when(() => pattern.test(text)),
    closed: async () => {
      const all = await when(() => ended);
      socket.destroy();
      return all;
    },
  };
}

/** Sends the bytes and returns everything received until the other side closed. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const connection = await rawConnection(url);
  connection.write(bytes);
  return connection.closed();
}

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** The answers in the received text; none may be chunked. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no answer: ${JSON.stringify(rest)}`);
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    const headers = new Map(
      lines.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

export interface FakeServer extends AsyncDisposable {
  url: string;
  /** Every request that it saw. */
  seen: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** How it answers from now on; by default `{"data":null}` at once. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A server that replaces the board and records its requests; its answers are not checked. */
export async function fakeServer(): Promise<FakeServer> {
  const checks = leaveUnchecked();
  const fake: FakeServer = {
    url: '',
    seen: [],
    answer: (_request, response) => void response.setHeader('content-type', 'application/json').end('{"data":null}'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      checks[Symbol.dispose]();
    },
  };
  const server = createServer((request, response) => {
    fake.seen.push({ method: request.method!, path: request.url!, headers: request.headers });
    fake.answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}
