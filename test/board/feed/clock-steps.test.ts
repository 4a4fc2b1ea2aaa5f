import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createBoardApp } from '../../../board-server/app.ts';
import { SteadyClock } from '../../../board-server/store/steady-clock.ts';
import { countedBytes } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';
import { boardAt, emptyPlace, verifyAt } from '../../support/board/store.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** A wall clock that is stepped, beside one that is not. */
function clocks() {
  let passed = 1_000;
  let wall = Date.parse('2026-11-21T12:00:00.000Z');
  const steady = new SteadyClock({ wall: () => new Date(wall), monotonicMs: () => passed });
  return {
    steady,
    step: (milliseconds: number) => {
      wall += milliseconds;
    },
    pass: (milliseconds: number) => {
      passed += milliseconds;
      wall += milliseconds;
      return steady.now().toISOString();
    },
  };
}

it('A clock stepped a year forward and back within ten minutes changes no time at all', () => {
  const { steady, step, pass } = clocks();
  step(YEAR);
  expect(pass(1_000)).toBe('2026-11-21T12:00:01.000Z');
  expect(pass(9 * 60_000)).toBe('2026-11-21T12:09:01.000Z');
  step(-YEAR);
  expect(pass(1_000)).toBe('2026-11-21T12:09:02.000Z');
  expect(pass(HOUR)).toBe('2026-11-21T13:09:02.000Z');
  expect(steady.correction).toBeNull();
});

it('A step that lasts ten minutes is believed and named; small steps are followed at once', () => {
  const { steady, step, pass } = clocks();
  step(-1_500);
  expect(pass(1_000)).toBe('2026-11-21T11:59:59.500Z');
  step(2 * HOUR);
  expect(pass(1_000)).toBe('2026-11-21T12:00:00.500Z');
  expect(pass(599_999)).toBe('2026-11-21T12:10:00.499Z');
  expect(pass(1)).toBe('2026-11-21T14:10:00.500Z');
  expect(steady.correction).toEqual({ at: new Date('2026-11-21T14:10:00.500Z'), bySeconds: 7200 });
});

it('Events of a stepped clock keep their time; after a believed step back each names the clock, and the feed the step', async () => {
  await using place = await emptyPlace();
  const { steady, step, pass } = clocks();
  const effects = { now: steady.now, random: countedBytes(), correction: () => steady.correction };
  await using board = await boardAt(place.address, effects);
  const tsOf = async (label: string) => {
    const { ts, data } = await post(board, 'claim', label, { data: {} });
    const { clock } = JSON.parse(data);
    return [new Date(ts / 1000).toISOString(), clock === undefined ? {} : { clock }];
  };
  step(YEAR);
  expect(await tsOf('forward')).toEqual(['2026-11-21T12:00:00.000Z', {}]);
  step(-YEAR);
  pass(1_000);
  expect(await tsOf('back')).toEqual(['2026-11-21T12:00:01.000Z', {}]);
  step(-HOUR);
  steady.now();
  pass(600_000);
  expect(await tsOf('corrected')).toEqual(['2026-11-21T12:00:01.000Z', { clock: '2026-11-21T11:10:01.000000Z' }]);
  pass(2 * HOUR);
  expect(await tsOf('later')).toEqual(['2026-11-21T13:10:01.000Z', {}]);
  const services = { board, addressSalt: 'test', independence: 'name' as const };
  const app = createBoardApp({ services, log: pino({ level: 'silent' }), now: steady.now, baseUrl: null });
  const feed = (await (await app.fetch(new Request('http://test.example/api/v1/changes'))).json()) as {
    _meta: Record<string, unknown>;
  };
  expect(feed._meta.clockCorrected).toEqual({ at: '2026-11-21T11:10:01.000Z', bySeconds: -3600 });
  expect((await verifyAt(place.address)).problems).toEqual([]);
});
