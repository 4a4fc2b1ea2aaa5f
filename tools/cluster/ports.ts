import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux gives to outgoing connections and to servers that ask for any (from 32768 on): a port there
 * could be taken by a connection before its server starts, or while it is down between two starts.
 */
const FIRST = 12_000;
const STRIPE = 100;
const STRIPES = 200;

/** Processes that look at the same time look in different places. */
const stripe = FIRST + (process.pid % STRIPES) * STRIPE;
let looked = 0;

/** Free ports of 127.0.0.1, all different, which this process gives away once in a hundred. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let left = STRIPE; ports.length < count; left -= 1) {
    if (left === 0) throw new Error(`no ${count} free ports from ${stripe} to ${stripe + STRIPE - 1}`);
    const port = stripe + (looked++ % STRIPE);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
