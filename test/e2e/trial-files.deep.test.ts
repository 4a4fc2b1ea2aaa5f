import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../pipeline/run/run.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { folderOfFile } from '../support/folders.ts';
import { writeTestSample } from '../support/runner/sample-snapshot.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** More than the sockets between three processes take unread. */
const SAMPLE = { seed: 3, ctgov: 5000, isrctn: 300 } as const;

const { path: root } = folderOfFile();

/** A snapshot of that sample; returns its directory. */
async function publishedSample(): Promise<string> {
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  const directory = await writeTestSample(root, SAMPLE);
  const asked = { command: 'run', words: ['--source', 'sample', '--sample', directory] } as const;
  const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
  await run({ source: 'sample', mode: 'auto', accept: [], sample: { directory } }, config, effects, asked);
  return config.snapshotsDir;
}

/** Index server and gateway as processes of their own, and a gateway with the index in it. */
let index: ServerProcess;
let gateway: ServerProcess;
let whole: ServerProcess;
beforeAll(async () => {
  const SNAPSHOTS_DIR = await publishedSample();
  index = await startServer('index-server/main.ts', { SNAPSHOTS_DIR });
  gateway = await startServer('gateway/main.ts', { SNAPSHOTS_DIR, INDEX_URL: index.url });
  whole = await startServer('gateway/main.ts', { SNAPSHOTS_DIR });
});
afterAll(async () => {
  for (const server of [gateway, index, whole]) await server?.stop();
});

/** An answer whose body nobody reads yet. */
async function opened(url: string): Promise<IncomingMessage> {
  const sent = request(url, { agent: false });
  sent.on('error', () => {});
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return answer;
}

const WITH_TEXTS = '/trials.jsonl?include=eligibilityText';

it('a file through two processes has the bytes of one from a single process', async () => {
  for (const path of ['/trials.csv?q=diabetes', '/trials.ris?phase=2', WITH_TEXTS]) {
    const [through, alone] = await Promise.all(
      [gateway, whole].map(async ({ url }) => {
        const response = await fetch(`${url}${path}`);
        expect(response.status).toBe(200);
        return (await response.text()).replaceAll(url, 'http://here');
      }),
    );
    expect(through).toBe(alone);
  }
});

it.each([
  ['with the index in it', () => whole],
  ['with the index behind it', () => gateway],
])(
  'a gateway %s ends a file whose reader hangs up, and goes on with one whose reader is slow',
  async (_words, server) => {
    const { url } = server();
    // As many as an address may have, read by nobody.
    const unread = await Promise.all(Array.from({ length: 4 }, () => opened(`${url}${WITH_TEXTS}`)));
    expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const fifth = await opened(`${url}${WITH_TEXTS}`);
    expect(fifth.statusCode).toBe(429);
    fifth.resume();
    const [slow, ...gone] = unread as [IncomingMessage, ...IncomingMessage[]];
    for (const answer of gone) answer.destroy();
    await until(async () => {
      const next = await opened(`${url}${WITH_TEXTS}`);
      next.destroy();
      return next.statusCode === 200;
    });
    let text = '';
    slow.setEncoding('utf8');
    for await (const piece of slow) text += piece;
    const [about, ...trials] = text.trimEnd().split('\n');
    expect(trials).toHaveLength(JSON.parse(about!).about.rows.count);
  },
);

it('a file that breaks off is no whole answer', async () => {
  await using dying = await startServer('index-server/main.ts', { SNAPSHOTS_DIR: join(root, 'snapshots') });
  await using before = await startServer('gateway/main.ts', { INDEX_URL: dying.url });
  const answer = await opened(`${before.url}${WITH_TEXTS}`);
  expect(answer.statusCode).toBe(200);
  dying.child.kill('SIGKILL');
  const ended = new Promise((resolve) => answer.once('close', resolve));
  answer.resume();
  await ended;
  expect(answer.complete).toBe(false);
});
