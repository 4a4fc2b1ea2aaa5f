import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3';
import type { Logger } from 'pino';

export interface Listening {
  url: string;
  /** Stops taking connections, lets running requests end, then resolves. */
  close(): Promise<void>;
}

/** Longest time that a request may still run after the stop signal. */
const DRAIN_MS = 10_000;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Bytes of request line and headers; above, Node answers 431. */
const HEADERS_MAX_BYTES = 16_384;

/** Serves an app over HTTP/1.1 and logs where. Port 0 takes any free one. */
export async function listen(app: H3, options: { host: string; port: number; log: Logger }): Promise<Listening> {
  const server: Server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, maxHeaderSize: HEADERS_MAX_BYTES },
    toNodeHandler(app),
  );
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { address, port, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  options.log.info({ event: 'listening', url }, 'listening');
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(timer);
    },
  };
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
