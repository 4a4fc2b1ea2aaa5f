import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { openBareOrigin } from '../support/bare-origin.ts';

/** Attack 16: followers of a few addresses take the places of everybody. */
it('leaves places to follow to others when ten addresses hold all they can', async () => {
  await using origin = await openBareOrigin({ trustedProxies: 1 });
  const sent: ClientRequest[] = [];
  const follow = (address: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { accept: 'text/event-stream', 'x-forwarded-for': address };
      const stream = request(`${origin.url}/api/v1/changes`, { headers, agent: false });
      stream.on('response', (answer: IncomingMessage) => {
        answer.on('error', () => {});
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      stream.on('error', reject);
      stream.end();
      sent.push(stream);
    });
  for (let place = 0; place < 10; place += 1) {
    const statuses = await Promise.all(Array.from({ length: 21 }, () => follow(`198.51.${place}.1`)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  }
  expect(await follow('203.0.113.1')).toBe(200);
  expect(origin.board.services.board.arrivals.waiting).toBe(201);
  // One caller may change all but the first 48 bits of its address.
  for (let network = 0; network < 5; network += 1) {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => follow(`2001:db8:1:${network}::1`)));
    expect(statuses.every((status) => status === 200)).toBe(true);
  }
  expect([await follow('2001:db8:1:5::1'), await follow('2001:db8:2::1')]).toEqual([429, 200]);
  for (const stream of sent) stream.on('error', () => {}).destroy();
});
