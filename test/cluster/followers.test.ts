import { Client } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type OneOfSeveral, openSeveralBoards, type SeveralBoards } from '../support/board/several-boards.ts';
import { NO_POSTGRES } from '../support/runner/postgres.ts';

if (NO_POSTGRES !== null) process.stderr.write(`\nTests of several boards are skipped: ${NO_POSTGRES}\n`);

let several: SeveralBoards;
afterEach(() => several?.[Symbol.asyncDispose]());

const ask = (board: OneOfSeveral, path: string, headers = {}) =>
  board.app.fetch(new Request(`http://test.example${path}`, { headers }));

/** Resolves once a reader waits at the board. */
const waits = ({ board }: OneOfSeveral) =>
  vi.waitFor(() => expect(board.arrivals.waiting).toBe(1), { interval: 5, timeout: 60_000 });

/** Ids of the events that a long poll ended with. */
async function longPoll(board: OneOfSeveral): Promise<string[]> {
  const answer = await ask(board, '/api/v1/changes?wait=30');
  const { data } = (await answer.json()) as { data: { events: { id: string }[] } };
  return data.events.map(({ id }) => id);
}

describe.skipIf(NO_POSTGRES !== null)('readers that wait at one of several boards', () => {
  it.each([
    ['listened for', {}],
    ['found by the poll alone', { listens: false }],
  ])('are woken by what another board stores, %s', async (_how, options) => {
    several = await openSeveralBoards(2, options);
    const [first, second] = several.boards as [OneOfSeveral, OneOfSeveral];
    const answered = longPoll(second);
    await waits(second);
    await first.post('clm_1');
    expect(await answered).toEqual(['clm_1']);
  });

  it('are woken by what another board stores: a stream', async () => {
    several = await openSeveralBoards(2);
    const [first, second] = several.boards as [OneOfSeveral, OneOfSeveral];
    const response = await ask(second, '/api/v1/changes', { accept: 'text/event-stream' });
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = '';
    const until = async (part: string) => {
      while (!text.includes(part)) text += decoder.decode((await reader.read()).value, { stream: true });
    };
    await waits(second);
    await first.post('clm_1');
    await until('clm_1');
    await second.post('clm_2');
    await until('clm_2');
    await first.post('clm_3');
    await until('clm_3');
    await reader.cancel();
    expect(text.match(/clm_\d/g)?.filter((id, place, all) => all.indexOf(id) === place)).toEqual([
      'clm_1',
      'clm_2',
      'clm_3',
    ]);
  });

  it('hear again after the connection that listens was lost', async () => {
    several = await openSeveralBoards(2);
    const [first, second] = several.boards as [OneOfSeveral, OneOfSeveral];
    const listeners = "FROM pg_stat_activity WHERE query = 'LISTEN board' AND datname = current_database()";
    const client = new Client({ connectionString: several.url });
    await client.connect();
    const listening = async () => Number((await client.query(`SELECT count(*) ${listeners}`)).rows[0].count);
    await expect.poll(listening).toBe(2);
    await client.query(`SELECT pg_terminate_backend(pid) ${listeners}`);
    const answered = longPoll(second);
    await waits(second);
    await first.post('clm_1');
    expect(await answered).toEqual(['clm_1']);
    await expect.poll(listening).toBe(2);
    await client.end();
  });

  it('are told of each event once, whichever board stored it', async () => {
    several = await openSeveralBoards(3);
    const heard = several.boards.map(({ board }) => {
      const times: number[] = [];
      board.committed.on('event', (ts) => times.push(ts));
      return times;
    });
    const stored: number[] = [];
    const writers = several.boards.map(async (one, place) => {
      for (let number = 0; number < 40; number += 1) stored.push(await one.post(`clm_${place}_${number}`));
    });
    await Promise.all(writers);
    const expected = stored.toSorted((a, b) => a - b);
    expect(new Set(expected).size).toBe(120);
    for (const times of heard) await expect.poll(() => times.toSorted((a, b) => a - b)).toEqual(expected);
  });
});
