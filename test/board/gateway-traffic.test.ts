import { expect, it } from 'vitest';
import { boardForEach } from '../support/board/board.ts';

/** Requests of clients, as the gateways that share a board tell and ask them. */

const board = boardForEach();

const TEN_MINUTES_MS = 600_000;
const slotNow = () => Math.floor(board.clock.now().getTime() / TEN_MINUTES_MS);
const tell = async (...counted: object[]) => (await board.send('/internal/traffic', counted)).status;
const told = async () => (await board.get('/internal/traffic')).body;

it('are added up over gateways, by door and class of status', async () => {
  const slot = slotNow();
  const rest = { slot, door: 'rest', status: '2xx', requests: 3 };
  expect(await tell(rest, { ...rest, status: '4xx', requests: 1 })).toBe(200);
  expect(await tell({ ...rest, door: 'mcp', requests: 5 }, { ...rest, requests: 4 })).toBe(200);
  expect(await told()).toEqual({
    since: '2026-11-21T12:00:00.000Z',
    counted: [
      { door: 'mcp', status: '2xx', requests: 5 },
      { door: 'rest', status: '2xx', requests: 7 },
      { door: 'rest', status: '4xx', requests: 1 },
    ],
  });
  expect(await tell({ ...rest, requests: -1 })).toBe(400);
});

it('count for 24 hours, to ten minutes', async () => {
  await tell({ slot: slotNow(), door: 'rest', status: '2xx', requests: 3 });
  board.clock.advance(24 * 3_600_000 - TEN_MINUTES_MS);
  expect(await told()).toEqual({
    since: '2026-11-21T12:00:00.000Z',
    counted: [{ door: 'rest', status: '2xx', requests: 3 }],
  });
  board.clock.advance(TEN_MINUTES_MS);
  expect(await told()).toEqual({ since: '2026-11-22T12:00:00.000Z', counted: [] });
  await tell({ slot: slotNow(), door: 'mcp', status: '5xx', requests: 1 });
  const kept = await board.services.board.read.selectFrom('gateway_traffic').selectAll().execute();
  expect(kept.map(({ door }) => door)).toEqual(['mcp']);
});
