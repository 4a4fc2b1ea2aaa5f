import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeRegistry, startFakeRegistry } from '../fakes/registry-server.ts';
import { someStudies, writeDumps } from '../support/dump-runs.ts';
import { folderOfFile } from '../support/folders.ts';
import { isrctnTrial, nct } from '../support/live-records.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';
import { openOrigin } from '../support/origin.ts';
import { startPipeline } from '../support/pipeline-process.ts';
import { deep } from '../support/runner/amount.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { ROOT, read } from '../support/tree.ts';
import { until } from '../support/until.ts';

/** Runs every command block of the README and of the walkthrough, in their order. */

const README = read('README.md') + read('docs/walkthrough.md');
const BLOCKS = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!.trim());
const WALKTHROUGH = BLOCKS.find((block) => block.startsWith('BASE='))!;
const AUDIT = BLOCKS.find((block) => block.startsWith('curl -sO'))!;
const AUDITED = /```text\n(PROVEN[\s\S]*?)```/.exec(README)![1]!;
const PRINTED = /```text\n([\s\S]*?)```/.exec(README)![1]!.trim().split('\n');
const COMMANDS = BLOCKS.filter((block) => block !== WALKTHROUGH && block !== AUDIT).flatMap((block) =>
  block.split('\n'),
);
const FIRST_ANSWER = /```sh\ncurl[^\n]*\n```\n\n[^\n]*\n\n```json\n([\s\S]*?)```/.exec(README)?.[1] ?? '';

const { path: root } = folderOfFile();
let registry: FakeRegistry;
let server: ServerProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  const studies = someStudies(20);
  const trials = [isrctnTrial({ number: '91000000', nct: nct(3) }), isrctnTrial({ number: '91000001' })];
  const now = new Date().toISOString();
  registry = await startFakeRegistry({ studies, trials, dataTimestamp: now.slice(0, 19) });
  // A dump of the day of the live run: one of an older day would be refused.
  const derivedSection = { miscInfoModule: { versionHolder: now.slice(0, 10) } };
  const dumped = studies.map((one) => ({ ...one, derivedSection }));
  await writeDumps(root, { studies: dumped, trials: trials.map(({ xml }) => xml) });
  environment = {
    DATA_DIR: join(root, 'data'),
    SNAPSHOTS_DIR: join(root, 'snapshots'),
    CTGOV_URL: registry.url,
    ISRCTN_URL: registry.url,
    FEEDS_FILE: NO_FEEDS,
    FETCH_RATE: '50',
  };
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await registry.close();
});

/** Runs the script of an `npm run` line the way the launcher does, and returns its standard output. */
async function pipeline(line: string): Promise<string> {
  const words = line.replace(/^npm run pipeline -- /, '').split(' ');
  const paths = words.map((word) => {
    if (word.startsWith('http://127.0.0.1:3000')) return word.replace('http://127.0.0.1:3000', server.url);
    return /\.(ndjson|xml)$|^copy$/.test(word) ? join(root, word) : word;
  });
  const { code, out, errors } = await startPipeline(paths, environment).ended;
  expect(code, `${line}\n${errors}`).toBe(0);
  return out;
}

/** The Node that runs this test, for the commands that call `node`. */
const PATH_WITH_NODE = `${dirname(process.execPath)}:${process.env.PATH}`;

/** Runs the commands of two agents on the board, as they stand. */
async function walkThrough(url: string): Promise<void> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', WALKTHROUGH.replace('http://127.0.0.1:3000', url)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: PATH_WITH_NODE, ...COMPILE_CACHE },
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(code, errors).toBe(0);
  const [message, ...printed] = output.trim().split('\n');
  expect(message).toMatch(/^msg_[0-9a-z]+$/);
  expect(printed).toEqual(PRINTED);
}

it('the README lets two agents work on the board, here of servers in this process', async () => {
  await using origin = await openOrigin();
  await walkThrough(origin.url);
});

deep.describe('the README', () => {
  it('starts with no snapshot: one is made from the sample, and it serves', async () => {
    expect(COMMANDS.slice(0, 2)).toEqual(['npm start', 'npm test']);
    server = await startServer('tools/start.ts', environment);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('shows the real answer to its first request', async () => {
    const address = /^curl -s 'http:\/\/127\.0\.0\.1:3000(\/[^']*)'$/.exec(COMMANDS[2]!)![1]!;
    const answer = (await (await fetch(`${server.url}${address}`)).json()) as Record<string, unknown>;
    expect(answer.data).toEqual(JSON.parse(FIRST_ANSWER));
  });

  it('draws the picture that it shows, by its two commands', async () => {
    const [ask, draw] = COMMANDS.slice(3, 5) as [string, string];
    expect(ask).toMatch(/^curl -s -X POST 'http:\/\/127\.0\.0\.1:3000\/api\/v1\/twin\/beta-cell' /);
    expect(draw).toBe('npm run picture -- run.json beta-cell.svg');
    const here = draw.replace('npm run picture --', `node ${join(ROOT, 'tools/picture.ts')}`);
    const child = spawn('bash', ['-euc', `${ask.replace('http://127.0.0.1:3000', server.url)}\n${here}`], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: PATH_WITH_NODE, ...COMPILE_CACHE },
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await readFile(join(root, 'beta-cell.svg'), 'utf8')).toBe(read('docs/pictures/beta-cell.svg'));
  });

  it('lets two agents work on the board, by the shell commands as they stand', () => walkThrough(server.url));

  it('lets an auditor prove a trial in an empty folder, with Node alone', async () => {
    const folder = await mkdtemp(join(root, 'audit-'));
    const lines = AUDIT.replaceAll('http://127.0.0.1:3000', server.url).split('\n');
    expect(lines).toHaveLength(5);
    let printed = '';
    for (const line of lines) {
      const [, named, address, file] = /^curl -s(O?) '?([^ ']+)'?(?: -o (\S+))?$/.exec(line) ?? [];
      if (address !== undefined) {
        const answer = await fetch(address);
        expect(answer.status, line).toBe(200);
        const name = named === 'O' ? new URL(address).pathname.slice(1) : file!;
        await writeFile(join(folder, name), Buffer.from(await answer.arrayBuffer()));
        continue;
      }
      expect(line).toMatch(/^node /);
      const child = spawn(process.execPath, line.split(' ').slice(1), {
        cwd: folder,
        env: {},
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said, end] = await Promise.all([text(child.stdout), once(child, 'close')]);
      expect(end, line).toEqual([0, null]);
      printed = said;
    }
    const own = (said: string): string => said.replace(/^snapshot [0-9a-f]{64}/m, 'snapshot IDENTITY');
    expect(own(printed)).toBe(own(AUDITED));
  });

  // Eight commands of the pipeline, each as a process of its own.
  it('reads the real registries, by commands that all work', async () => {
    const lines = COMMANDS.slice(5);
    expect(lines.every((line) => line.startsWith('npm run pipeline -- '))).toBe(true);
    let previous = '';
    for (const line of lines) {
      const output = await pipeline(line.replace('PREVIOUS', previous));
      const published = /published (\S+):/.exec(output)?.[1];
      previous = line.includes('--source live') ? (published ?? '') : previous;
      if (line.includes(' list'))
        expect(output.split('\n')[1]).toMatch(/^ *\* +\d{8}T\d{6}Z-[0-9a-f]{8} +registries +21 /);
      if (line.includes(' verify')) expect(output).toMatch(/ is intact: /);
      if (line.includes(' pull'))
        expect(output).toMatch(/^pulled +\S+ into .*\n[\s\S]*it is the version that is served/);
    }
  });

  it('serves the new snapshot without a restart', async () => {
    await until(async () => {
      const { _meta } = (await (await fetch(`${server.url}/api/v1/trials/stats`)).json()) as {
        _meta: { provenance: { corpus: string } };
      };
      return _meta.provenance.corpus === 'registries';
    });
  });

  it('ends in order', async () => expect(await server.stop()).toBe(0));
});
