import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyFile } from '../../../board-server/store/sqlite/verify-file.ts';
import { amountOf } from '../../support/runner/amount.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

const KILLS = amountOf({ quick: 2, deep: 50 });
const WRITERS = 8;
/**
 * The kill comes after a number of answers, so that it does not depend on the machine's speed, and a few milliseconds
 * later. These are the maxima of both.
 */
const ANSWERS_MAX = 24;
const LATE_MAX_MS = 8;

let root: string;
let database: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-crash-'));
  database = join(root, 'board.sqlite');
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Pseudorandom numbers from 0 to 1, equal in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function start(): Promise<ServerProcess> {
  return startServer('board-server/main.ts', {
    BOARD_DB: database,
    DATA_DIR: root,
    BOARD_PORT: '0',
    LOG_LEVEL: 'info',
  });
}

interface Write {
  key: string;
  path: string;
  body: Record<string, string>;
}

function writeOf(place: number): Write {
  const key = `7c9e6679-7425-40de-944b-${String(place).padStart(12, '0')}`;
  const agentName = `agent-${place % 7}`;
  if (place % 2 === 0) {
    const intent = `Write ${place} of the storm: counts one thing and hands back a table of it.`;
    return {
      key,
      path: '/api/v1/claims',
      body: { objectiveId: 'map-one-disease', scope: `slice ${place}`, intent, agentName },
    };
  }
  const body = `Message ${place} of the storm, long enough to be one.`;
  return {
    key,
    path: '/api/v1/threads',
    body: { subjectType: 'objective', subjectId: 'map-one-disease', body, agentName },
  };
}

interface Stored {
  id: string;
  releaseToken?: string;
}

/**
 * Sends a write. Returns the stored object, or null when the server died before it answered. Throws for any refusal.
 */
async function send(url: string, { key, path, body }: Write): Promise<Stored | null> {
  let status: number;
  let text: string;
  try {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    status = response.status;
    text = await response.text();
  } catch {
    return null;
  }
  if (status !== 201 && status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
  const { id, releaseToken } = JSON.parse(text).data;
  return releaseToken === undefined ? { id } : { id, releaseToken };
}

it(`keeps every acknowledged write once and the chain whole through ${KILLS} kills in the middle of a storm`, async () => {
  const random = seeded(20_261_121);
  // This first process ends properly and so leaves a compile cache, with which the others start in half the time.
  const first = await start();
  await first.stop();
  const acknowledged = new Map<string, Stored>();
  let tried = 0;
  let unanswered: Write[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const { child, url } = await start();
    const ended = once(child, 'close');
    const lost: Write[] = [];
    const again = unanswered;
    let dead = false;
    let answers = 0;
    const killAfter = Math.floor(random() * ANSWERS_MAX);
    const late = random() * LATE_MAX_MS;
    const kill = async (): Promise<void> => {
      await pause(late);
      child.kill('SIGKILL');
      dead = true;
    };
    const writer = async (): Promise<void> => {
      while (!dead) {
        const write = again.pop() ?? writeOf(tried++);
        const stored = await send(url, write);
        if (stored === null) {
          lost.push(write);
          return;
        }
        acknowledged.set(write.key, stored);
        if (answers++ === killAfter) void kill();
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, writer), ended]);
    unanswered = [...again, ...lost];
  }

  // After the last start, the unanswered writes are sent again, and every third answered one: that repeats the first
  // answer, with its token.
  const { stop, url } = await start();
  for (const write of unanswered) acknowledged.set(write.key, (await send(url, write))!);
  for (let place = 0; place < tried; place += 3) {
    const write = writeOf(place);
    expect(await send(url, write)).toEqual(acknowledged.get(write.key));
  }
  expect(await stop()).toBe(0);

  expect(acknowledged.size).toBe(tried);
  expect(tried).toBeGreaterThan(KILLS * 8);
  const file = new SQLite(database, { readonly: true });
  const stored = file.prepare('SELECT id FROM claims UNION ALL SELECT id FROM messages').pluck().all();
  const events = file.prepare('SELECT object_id FROM events').pluck().all();
  file.close();
  const wanted = [...acknowledged.values()].map(({ id }) => id).sort();
  expect(stored.sort()).toEqual(wanted);
  expect(events.sort()).toEqual(wanted);
  expect(await verifyFile(database)).toMatchObject({ events: tried, begins: '0'.repeat(64), problems: [] });
});
