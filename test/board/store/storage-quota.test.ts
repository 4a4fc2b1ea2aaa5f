import { beforeEach, describe, expect, it } from 'vitest';
import { boardForEach } from '../../support/board/board.ts';
import { MESSAGE } from '../../support/board/board-writes.ts';

const board = boardForEach();
beforeEach(async () => {
  board.services.boundsStorage = true;
});

let sent = 0;
/** Posts one message of about a kilobyte. */
function post(address: string) {
  sent += 1;
  const body = { ...MESSAGE, body: `Message ${sent} with much to say. ${'x'.repeat(1000)}` };
  return board.send('/api/v1/threads', body, { 'x-forwarded-for': address });
}
const rows = () => board.services.board.read.selectFrom('stored_bytes').selectAll().execute();
const fill = (bytes: number) =>
  board.services.board.write((tx) => tx.updateTable('stored_bytes').set({ bytes }).execute());

describe('what a group of addresses stores in a day', () => {
  it('is counted in the file, by what its writes put there, and not for a write that is refused', async () => {
    await post('192.0.2.1');
    const [first] = await rows();
    expect(first!.bytes).toBeGreaterThan(2 * 1000);
    expect(first!.bytes).toBeLessThan(20_000);
    await post('192.0.2.200');
    await board.send('/api/v1/threads', { ...MESSAGE, subjectId: 'none' }, { 'x-forwarded-for': '192.0.2.1' });
    const [both, ...others] = await rows();
    expect(others).toEqual([]);
    expect(Math.abs(both!.bytes - 2 * first!.bytes)).toBeLessThan(50);
  });

  it('is bounded: then 429 says when it is free again, others write on, and the next day begins anew', async () => {
    await post('192.0.2.1');
    await fill(19_999_999);
    expect((await post('192.0.2.1')).status).toBe(201);
    const refused = await post('192.0.2.77');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'WRITE_RATE_LIMITED']);
    expect(refused.body.error.message).toContain('2026-11-22T00:00:00.000000Z');
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
    expect((await post('198.51.100.1')).status).toBe(201);
    board.clock.advance(12 * 3_600_000);
    expect((await post('192.0.2.77')).status).toBe(201);
    expect(await rows()).toHaveLength(1);
  });
});
