import { connect, type Socket } from 'node:net';
import { Connection, claimRequest, postRequest } from './connection.ts';

/** What the attacking process is asked to do. */
export interface AttackJob {
  origin: string;
  /** The one address that all attacks come from. */
  from: string;
  keys: string[];
  seconds: number;
}

/** Answers by attack and status; 0 stands for a connection that was refused or ended. */
export type Attacked = Record<string, Record<string, number>>;

interface Attack {
  connections: number;
  /** Request number so-and-so of the attack. */
  request: (number: number, key: string) => Buffer;
}

const SLOW_READERS = 100;
const IDLE_CONNECTIONS = 400;
const REOPEN_MS = 50;
/** An attack; each 201 that it gets is an event on the board. */
export const CLAIMS = 'claims';
/** As much answer as a batch may have, 1 MB, for one request of two kilobytes. */
const TOOLS = JSON.stringify(
  Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })),
);

function get(path: string, key: string, headers = ''): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\n${headers}\r\n`);
}

const ATTACKS: Record<string, Attack> = {
  'MCP batches of tool lists': {
    connections: 3,
    request: (_number, key) =>
      Buffer.from(
        `POST /api/v1/mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-03-26\r\ncontent-length: ${TOOLS.length}\r\n\r\n${TOOLS}`,
      ),
  },
  'the document, packed, of invented hosts': {
    connections: 3,
    request: (number, key) =>
      Buffer.from(
        `GET /api/v1/openapi.json HTTP/1.1\r\nhost: host-${number}.example\r\nx-api-key: ${key}\r\naccept-encoding: gzip\r\n\r\n`,
      ),
  },
  'big pages of phrases, packed': {
    connections: 3,
    request: (number, key) =>
      get(
        `/api/v1/trials/search?q=%22type%202%22&pageSize=100&include=eligibilityText,modality&page=${1 + (number % 2)}`,
        key,
        'accept-encoding: gzip\r\n',
      ),
  },
  [CLAIMS]: {
    connections: 2,
    request: (number) => claimRequest('attack', number),
  },
  'more keys': {
    connections: 1,
    request: (number) => postRequest('/api/v1/keys', JSON.stringify({ label: `key ${number}` })),
  },
  landscapes: {
    connections: 3,
    request: (number, key) => get(`/api/v1/trials/landscape?startedAfter=${1990 + (number % 30)}-01-01`, key),
  },
};

/** Attacks from one address for some time, all ways at once. */
export async function attack({ origin, from, keys, seconds }: AttackJob): Promise<Attacked> {
  const deadline = performance.now() + seconds * 1000;
  const seen: Attacked = {};
  const count = (name: string, status: number): void => {
    const own = seen[name] ?? {};
    own[status] = (own[status] ?? 0) + 1;
    seen[name] = own;
  };
  const loops = Object.entries(ATTACKS).flatMap(([name, { connections, request }]) =>
    Array.from({ length: connections }, async (_, place) => {
      const connection = new Connection(origin, from);
      for (let number = place; performance.now() < deadline; number += connections) {
        const status = await connection.send(request(number, keys[number % keys.length]!));
        count(name, status);
        if (status === 0) await pause(REOPEN_MS);
      }
      connection.close();
    }),
  );
  const page = get('/api/v1/trials/search?pageSize=100&include=eligibilityText', keys[0]!);
  const sockets = [
    ...Array.from({ length: SLOW_READERS }, () => hold({ origin, from, deadline }, page, count)),
    ...Array.from({ length: IDLE_CONNECTIONS }, () => hold({ origin, from, deadline }, null, count)),
  ];
  await Promise.all([...loops, ...sockets]);
  return seen;
}

/** Opens a connection that reads nothing, again whenever it ends, and counts how it ended. */
async function hold(
  { origin, from, deadline }: { origin: string; from: string; deadline: number },
  request: Buffer | null,
  count: (name: string, status: number) => void,
): Promise<void> {
  const name = request === null ? 'idle connections' : 'slow readers';
  while (performance.now() < deadline) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port), localAddress: from });
    socket.on('error', () => {});
    // Asked several times over, so that far more is answered than the kernel keeps.
    if (request !== null) socket.write(Buffer.concat(Array.from({ length: 10 }, () => request)));
    const ended = await endOf(socket, deadline);
    count(name, ended ? 0 : 200);
    await pause(REOPEN_MS);
  }
}

/** Whether the connection ended before the deadline. */
function endOf(socket: Socket, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
      socket.destroy();
    }, deadline - performance.now());
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

if (import.meta.main) {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  process.stdout.write(JSON.stringify(await attack(JSON.parse(Buffer.concat(chunks).toString('utf8')) as AttackJob)));
}
