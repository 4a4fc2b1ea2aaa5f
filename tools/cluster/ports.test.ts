import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePorts } from './ports.ts';

it('are different, also in later calls, and none that a connection of another program may take meanwhile', async () => {
  const ports = [...(await freePorts(20)), ...(await freePorts(20))];
  expect(new Set(ports).size).toBe(40);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  expect(Math.min(...ports)).toBeGreaterThan(1024);
});

it('leave out one that is in use', async () => {
  const [first] = (await freePorts(1)) as [number];
  const server = createServer().listen(first + 1, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePorts(30)).not.toContain(first + 1);
  server.close();
});
