import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3';
import type { Logger } from 'pino';
import type { CallerCeilings } from './limits/caller-ceilings.ts';
import {
  EXPECTATION_FAULT,
  parserFault,
  type RequestFault,
  refuse,
  refuseOn,
  requestFault,
  TUNNEL_FAULT,
  tooManyConnections,
} from './refusals.ts';

export interface Listening {
  url: string;
  /**
   * From now on each connection ends with its next answer, which says so: whoever still sends requests makes a connection
   * for each, and is refused one after `close`. On a kept connection a request may cross with the end, and nobody could
   * tell whether it was read.
   */
  windDown(): void;
  /** Stops accepting connections, lets running requests end, then resolves. */
  close(): Promise<void>;
}

/** Time limits for a client, in milliseconds, and the number of connections. */
export interface ServeLimits {
  headersMs: number;
  /** Headers and body together. */
  requestMs: number;
  /** Interval at which the two limits above are checked. */
  checkMs: number;
  /**
   * A connection without a byte in either direction for this long is closed; long polls and pauses in a stream are
   * shorter.
   */
  silenceMs: number;
  /** Longer than common proxies keep a connection, so that the proxy ends it. */
  keepAliveMs: number;
  /** Further connections are closed at once. */
  connections: number;
  /** How long a request may still run after the stop signal. */
  drainMs: number;
}

const SERVE_LIMITS: ServeLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  checkMs: 5_000,
  silenceMs: 75_000,
  keepAliveMs: 65_000,
  connections: 10_000,
  drainMs: 10_000,
};

/** Largest request line plus headers; above, the answer is 431. */
const HEADERS_MAX_BYTES = 16_384;
/** Interval at which idle connections are closed during a drain. */
const SWEEP_MS = 50;
/** A connection without a byte for longer was opened in advance; a younger one may hold a request that was not read yet. */
const UNUSED_MS = 1_000;

interface ListenOptions {
  host: string;
  port: number;
  log: Logger;
  limits?: Partial<ServeLimits>;
  /** What one address may take of this server; without them, all of it. */
  callers?: CallerCeilings;
}

/** Serves an app over HTTP/1.1 and logs the address. Port 0 takes any free port. */
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
      // A request without a body has been read to its end when it comes.
      optimizeEmptyRequests: true,
      // Checked by requestFault, whose answer has a body.
      requireHostHeader: false,
    },
    (request, response) => {
      const fault = requestFault(request);
      if (fault !== null) return logRefusal(options.log, fault, refuse(response, fault));
      authorityIntoHost(request);
      // A connection that was refused may have sent its request before it heard of that.
      if (request.socket.writableEnded || options.callers?.follow(request, response) === false) return;
      if (state.draining) response.shouldKeepAlive = false;
      // When the request is complete: before that, h3 takes one without a body for one whose caller has left.
      queueMicrotask(() => void handle(request, response));
    },
  );
  server.maxConnections = limits.connections;
  server.setTimeout(limits.silenceMs, (socket) => socket.destroy());
  refuseWhatIsNoRequest(server, options.log);
  if (options.callers) refuseFurtherConnections(server, options.callers, options.log);
  const connections = openConnections(server);
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { address, port, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  options.log.info({ event: 'listening', url }, 'listening');
  return {
    url,
    windDown: () => {
      state.draining = true;
    },
    close: () => {
      state.draining = true;
      return drain(server, connections, limits.drainMs);
    },
  };
}

const AUTHORITY = /^https?:\/\/([^/?]+)/i;

/**
 * A target in absolute form replaces Host (RFC 9112, 3.2.2). It is brought into the form of all other requests, so that
 * whoever reads the host later reads one and the same.
 */
function authorityIntoHost(request: IncomingMessage): void {
  if (request.url?.startsWith('/')) return;
  const [form, authority] = AUTHORITY.exec(request.url ?? '') ?? [];
  if (form === undefined || authority === undefined) return;
  const rest = request.url!.slice(form.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
  const place = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (place < 0) request.rawHeaders.push('Host', authority);
  else request.rawHeaders[place + 1] = authority;
}

/** Accepts no new connection, ends each existing one when its request is answered, and all of them after `drainMs`. */
async function drain(server: Server, connections: Map<Socket, number>, drainMs: number): Promise<void> {
  const closed = once(server, 'close');
  const sweep = (): void => {
    server.closeIdleConnections();
    // Node counts those opened in advance as busy until their first request.
    const unusedSince = performance.now() - UNUSED_MS;
    for (const [socket, openedAt] of connections)
      if (socket.bytesRead === 0 && openedAt < unusedSince) socket.destroy();
  };
  server.close();
  sweep();
  const sweeping = setInterval(sweep, SWEEP_MS);
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweeping);
  clearTimeout(timer);
}

/** The open connections, and when each was opened. */
function openConnections(server: Server): Map<Socket, number> {
  const connections = new Map<Socket, number>();
  server.on('connection', (socket) => {
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/** Answers malformed and slow requests, tunnels and unknown expectations in the API's own form. */
function refuseWhatIsNoRequest(server: Server, log: Logger): void {
  const refused = new WeakSet<Duplex>();
  const newest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    newest.set(socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser repeats its error for every packet that follows.
    if (refused.has(socket)) return;
    refused.add(socket);
    const current = newest.get(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const answering = current !== undefined && !current.writableFinished;
    if (answering && (current.headersSent || current.req.complete)) {
      // The earlier request is still unanswered, and the client would take the refusal for its answer.
      current.once('close', () => socket.end());
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

/** Ends the connections that an address has above its ceiling. */
function refuseFurtherConnections(server: Server, callers: CallerCeilings, log: Logger): void {
  const fault = tooManyConnections(callers.ceilings.connections);
  server.on('connection', (socket: Socket) => {
    const admitted = callers.admit(socket);
    if (admitted === 'told') logRefusal(log, fault, refuseOn(socket, fault), 'connections of one address');
    else if (admitted === 'ended') socket.destroy();
  });
}

function logRefusal(log: Logger, { status }: RequestFault, correlationId: string, reason?: string): void {
  log.info({ event: 'request', correlationId, route: 'none', status, ...(reason && { reason }) }, 'refused');
}

/**
 * Resolves at the first SIGTERM or SIGINT. Later ones change nothing: a drain is bounded, and Ctrl-C comes from the
 * terminal and from the process that started this one.
 */
export async function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}

/** After an uncaught error, the state of the process is unknown: logs the error and ends the process with code 1. */
export function endOnFault(log: Logger): void {
  const end = (error: unknown, origin: string): void => {
    log.fatal({ event: 'fault', origin, err: error }, 'stopping after an uncaught error');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', (error) => end(error, 'unhandledRejection'));
}

/** Why a server cannot start, for the person who started it. */
export function startFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${error.message}; set PORT to another port, or to 0 for any free one`;
  if (code === 'EADDRNOTAVAIL') return `${error.message}; set HOST to an address of this machine`;
  if (code === 'EACCES' && error.message.startsWith('listen')) {
    return `${error.message}; set PORT to 1024 or above, where no right is needed, with a proxy in front`;
  }
  return error.message;
}
