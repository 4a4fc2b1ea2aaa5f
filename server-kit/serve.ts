import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3';
import type { Logger } from 'pino';
import {
  EXPECTATION_FAULT,
  parserFault,
  type RequestFault,
  refuse,
  refuseOn,
  requestFault,
  TUNNEL_FAULT,
} from './refusals.ts';

export interface Listening {
  url: string;
  /** Stops taking connections, lets running requests end, then resolves. */
  close(): Promise<void>;
}

/** How long a client may take, in milliseconds, and how many may be there. */
export interface ServeLimits {
  headersMs: number;
  /** Headers and body together. */
  requestMs: number;
  /** How often the two above are looked at. */
  checkMs: number;
  /** A connection on which nothing moves, in either direction; a long poll and the pause within a stream are shorter. */
  silenceMs: number;
  /** Longer than common proxies keep a connection, so that it is they who end it. */
  keepAliveMs: number;
  /** Connections beyond this are closed at once. */
  connections: number;
  /** Longest time that a request may still run after the stop signal. */
  drainMs: number;
}

export const SERVE_LIMITS: ServeLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  checkMs: 5_000,
  silenceMs: 75_000,
  keepAliveMs: 65_000,
  connections: 10_000,
  drainMs: 10_000,
};

/** Bytes of request line and headers; above, the answer is 431. */
const HEADERS_MAX_BYTES = 16_384;
/** While draining, how often connections that have become idle are closed. */
const SWEEP_MS = 50;

export interface ListenOptions {
  host: string;
  port: number;
  log: Logger;
  limits?: Partial<ServeLimits>;
}

/** Serves an app over HTTP/1.1 and logs where. Port 0 takes any free one. */
export async function listen(app: H3, options: ListenOptions): Promise<Listening> {
  const limits = { ...SERVE_LIMITS, ...options.limits };
  const handle = toNodeHandler(app);
  const state = { draining: false };
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: HEADERS_MAX_BYTES,
      // Checked by requestFault, whose answer has a body.
      requireHostHeader: false,
    },
    (request, response) => {
      const fault = requestFault(request);
      if (fault !== null) return logRefusal(options.log, fault, refuse(response, fault));
      if (state.draining) response.shouldKeepAlive = false;
      void handle(request, response);
    },
  );
  server.maxConnections = limits.connections;
  server.setTimeout(limits.silenceMs, (socket) => socket.destroy());
  refuseWhatIsNoRequest(server, options.log);
  const unused = unusedConnections(server);
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { address, port, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  options.log.info({ event: 'listening', url }, 'listening');
  return {
    url,
    close: () => {
      state.draining = true;
      return drain(server, unused, limits.drainMs);
    },
  };
}

/** Takes no new connection, ends each of the others when its request is answered, and all of them after `drainMs`. */
async function drain(server: Server, unused: Set<Socket>, drainMs: number): Promise<void> {
  const closed = once(server, 'close');
  const sweep = (): void => {
    server.closeIdleConnections();
    // Opened ahead of a request that has not come: Node takes such a connection for a busy one.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
  server.close();
  sweep();
  const sweeping = setInterval(sweep, SWEEP_MS);
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweeping);
  clearTimeout(timer);
}

/** Connections on which no request has come yet. */
function unusedConnections(server: Server): Set<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', (request: IncomingMessage) => unused.delete(request.socket));
  return unused;
}

/** Bytes that are no request, slow ones, and requests for a tunnel or an unknown expectation: all answered in our form. */
function refuseWhatIsNoRequest(server: Server, log: Logger): void {
  const refused = new WeakSet<Duplex>();
  const open = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    open.set(request.socket, { request, response });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser says it again for every packet that follows.
    if (refused.has(socket)) return;
    refused.add(socket);
    const current = open.get(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const answering = current !== undefined && !current.response.writableFinished;
    if (answering && (current.response.headersSent || current.request.complete)) {
      // A refusal now would be taken for the answer to the earlier request, which is still owed.
      current.response.once('close', () => socket.end());
      return;
    }
    const fault = parserFault(error);
    logRefusal(log, fault, refuseOn(socket, fault), error.code);
  });
  server.on('connect', (_request, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    logRefusal(log, TUNNEL_FAULT, refuseOn(socket, TUNNEL_FAULT));
  });
  server.on('checkExpectation', (_request, response) => {
    logRefusal(log, EXPECTATION_FAULT, refuse(response, EXPECTATION_FAULT));
  });
}

function logRefusal(log: Logger, { status }: RequestFault, correlationId: string, reason?: string): void {
  log.info({ event: 'request', correlationId, route: 'none', status, ...(reason && { reason }) }, 'refused');
}

/** Resolves at the first SIGTERM or SIGINT. */
export async function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      resolve(signal);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

/** What nobody caught leaves the process in a state that nobody knows: it is logged, and the process ends with 1. */
export function endOnFault(log: Logger): void {
  const end = (error: unknown, origin: string): void => {
    log.fatal({ event: 'fault', origin, err: error }, 'ending after an error that nobody caught');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', (error) => end(error, 'unhandledRejection'));
}
