import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { EXIT_CODES } from '../../contract/run-outcomes.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log-reader.ts';
import { startFakeRegistry } from '../../test/fakes/registry-server.ts';
import { isrctnTrial, nct, study } from '../../test/support/live-records.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { COMPILE_CACHE } from '../../test/support/runner/compile-cache.ts';
import { ROOT } from '../../test/support/tree.ts';
import { until } from '../../test/support/until.ts';
import { DATA_LOCK, SNAPSHOTS_LOCK } from '../lock.ts';

/** The command line as a process: what it writes and how it ends. */

let root: string;
let environment: Record<string, string>;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-outcome-'));
  environment = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
  const lines = [0, 1, 2].map((index) => `${JSON.stringify(study({ nctId: nct(index) }))}\n`);
  await writeFile(join(root, 'three.ndjson'), lines.join(''));
  await writeFile(join(root, 'one.ndjson'), lines[0]!);
  await writeFile(join(root, 'trial.xml'), isrctnTrial({ number: '91000000' }).xml);
});
afterAll(() => rm(root, { recursive: true, force: true }));

function start(words: string[], more: Record<string, string>) {
  return spawn(process.execPath, ['pipeline/cli.ts', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function pipeline(words: string[], more: Record<string, string> = {}) {
  const child = start(words, more);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [exit] = (await once(child, 'close')) as [number];
  return { exit, output, errors };
}

/** The one line of JSON that a command wrote, with nothing beside it. */
async function stated(words: string[], more?: Record<string, string>) {
  const { exit, output, errors } = await pipeline([...words, '--json'], more);
  expect(errors).toBe('');
  expect(output.split('\n')).toEqual([expect.any(String), '']);
  return { exit, said: JSON.parse(output) };
}

describe('the outcome of a run', () => {
  const dump = (file: string) => ['run', '--source', 'dump', '--ctgov', join(root, file)];

  // Three runs of the pipeline, each a process.
  deep.only(() => {
    test('is a code and an exit code: degraded without a registry, refused by the gate, whole with both', async () => {
      const alone = await stated(dump('three.ndjson'));
      expect(alone).toMatchObject({ exit: 3, said: { code: 'PUBLISHED_DEGRADED', exitCode: 3 } });
      const version = alone.said.published.version;

      const refused = await stated(dump('one.ndjson'));
      expect(refused).toMatchObject({ exit: 4, said: { code: 'REFUSED', exitCode: 4 } });
      expect(refused.said.breaches).toContainEqual({
        name: 'shrink:clinicaltrials_gov',
        detail: 'registrations fall from 3 to 1 (66.67 %, at most 2 %)',
        examples: ['NCT91000026', 'NCT91000039'],
      });
      const current = await readFile(join(root, 'snapshots', 'CURRENT'), 'utf8');
      expect(current).toBe(`${version}\n`);

      // What was known before the refusal is told as of a run that publishes.
      const known = ['fetch', 'normalise', 'dedup', 'signals', 'setAside'];
      for (const said of [alone.said, refused.said]) expect(Object.keys(said)).toEqual(expect.arrayContaining(known));
      expect(refused.said.fetch[0]).toMatchObject({ registry: 'clinicaltrials_gov', ok: true, records: 1 });
      expect(refused.said.normalise.registries[0]).toMatchObject({ read: 1, kept: 1 });
      expect(refused.said.checks).toContainEqual(
        expect.objectContaining({ name: 'shrink:clinicaltrials_gov', verdict: 'refused' }),
      );
      const inWords = await pipeline(dump('one.ndjson'));
      expect(inWords.output).toMatch(
        /^fetched {3}clinicaltrials_gov: 1 records in .*\nnormalised clinicaltrials_gov: 1 read:/,
      );
      expect(inWords.output).toContain('deduplicated 1 registrations into 1 trials');
      expect(inWords.errors).toMatch(/^refused: not published; the served snapshot stays:/m);

      const both = await stated([...dump('three.ndjson'), '--isrctn', join(root, 'trial.xml')]);
      expect(both).toMatchObject({ exit: 0, said: { code: 'PUBLISHED', exitCode: 0 } });
    });
  });

  it('is told to people in words', async () => {
    const { exit, output, errors } = await pipeline(dump('nothing.ndjson'));
    expect(exit).toBe(1);
    expect(output).toBe('FAILED    clinicaltrials_gov: nothing.ndjson does not exist; give the path of a dump\n');
    expect(errors).toMatch(
      /^failed: .*nothing\.ndjson[\s\S]*\nnext: Mend the file or the path that the message names: /m,
    );
    expect((await pipeline(['runs', '--limit', '1'])).output).toContain('\n  next: Mend the file or the path that the');
  });

  deep.it('tells what came before the fault: what was read, with gaps, or left out', async () => {
    const path = join(root, 'mixed');
    await mkdir(path);
    await writeFile(join(path, 'a.csv'), 'ISRCTN,a,b\nISRCTN91000000,x,y\n');
    await writeFile(join(path, 'b.txt'), 'notes');
    await writeFile(join(path, 'c.csv'), 'ISRCTN,a,b\nISRCTN91000000,x,y\nISRCTN91000001,x');
    const words = ['run', '--source', 'dump', '--ctgov', join(root, 'three.ndjson'), '--isrctn', path];
    const { exit, said } = await stated(words, { DATA_DIR: join(root, 'mixed-data') });
    expect([exit, said.code]).toEqual([1, 'SOURCE_FAILED']);
    expect(said.fetch).toMatchObject([
      { registry: 'clinicaltrials_gov', ok: true, records: 3, error: null },
      {
        ...{ registry: 'isrctn', ok: false, error: expect.stringMatching(/^c\.csv is cut short: /) },
        leftOut: [{ name: 'b.txt', reason: 'text or data of another kind, not ISRCTN XML' }],
        gaps: [{ name: 'a.csv', reason: expect.stringMatching(/^a CSV export has no titles, /) }],
      },
    ]);
    await rm(path, { recursive: true });
  });

  deep.it('of a run that is locked out, under way, stopped or killed is in its record', async () => {
    await using registry = await startFakeRegistry({
      faults: [{ endpoint: 'version', at: 1, kind: 'down', times: Number.POSITIVE_INFINITY }],
    });
    const folders = { DATA_DIR: join(root, 'held'), SNAPSHOTS_DIR: join(root, 'held-snapshots') };
    const live = { ...folders, CTGOV_URL: registry.url, ISRCTN_URL: registry.url };
    const words = ['run', '--source', 'live', '--registry', 'clinicaltrials_gov'];
    /** A run that waits in fetch, for a registry that does not answer. */
    const waiting = async () => {
      const child = start(words, live);
      const ended = once(child, 'close');
      await until(async () => (await readRunLog(live.SNAPSHOTS_DIR))[0]?.stage === 'fetch');
      return { child, ended };
    };
    const stopped = await waiting();
    const locked = await stated(['publish'], live);
    expect(locked).toMatchObject({ exit: 1, said: { code: 'LOCKED' } });
    expect((await pipeline(['runs'], live)).output).toMatch(
      /^.* publish --json\n {2}LOCKED, exit 1[\s\S]*\n {2}under way in fetch\n$/,
    );
    stopped.child.kill('SIGTERM');
    expect(await stopped.ended).toEqual([143, null]);
    // Nobody is told of a kill that was none.
    for (const lock of [join(live.DATA_DIR, DATA_LOCK), join(live.SNAPSHOTS_DIR, SNAPSHOTS_LOCK)])
      expect(await readFile(lock, 'utf8')).toBe('');
    const again = `npm run pipeline -- ${words.join(' ')}`;
    expect((await readRunLog(live.SNAPSHOTS_DIR))[1]).toMatchObject({
      state: 'ended',
      end: {
        ...{ code: 'STOPPED', exitCode: 143, stages: [{ stage: 'fetch' }] },
        message: `stopped by SIGTERM in the stage fetch; kept: the raw sets and pages that were stored. What is served is whole. To go on: ${again}`,
      },
    });
    const killed = await waiting();
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect((await pipeline(['runs', '--limit', '1'], live)).output).toMatch(
      /\n {2}killed in fetch; run it again: .*\n$/,
    );
  });
});

describe('wrong words', () => {
  deep.it('end with 2 and one JSON object, also where the command line cannot be read', async () => {
    expect(await stated(['run', '--souce', 'dump'])).toEqual({
      exit: 2,
      said: {
        code: 'WRONG_USAGE',
        exitCode: 2,
        message: "unknown option '--souce'\n(Did you mean --source?)\n(--help lists commands and options)",
      },
    });
    expect(await stated(['publish', '--source', 'moon'])).toMatchObject({ exit: 2, said: { code: 'WRONG_USAGE' } });
    expect(await stated(['schedule', '--cron', 'soon'])).toMatchObject({ exit: 2, said: { code: 'WRONG_USAGE' } });
    const accepted = await stated(['publish', '--accept', 'shrink:isrtcn', '--reason', 'Ada']);
    expect(accepted.said).toMatchObject({ code: 'WRONG_USAGE' });
    expect(accepted.said.message).toMatch(
      /^--accept shrink:isrtcn: no check has this name; the nearest are shrink:isrctn,/,
    );
    const unexplained = await stated(['publish', '--accept', 'shrink:isrctn']);
    expect(unexplained.said.message).toContain('--accept needs --reason');
    const elsewhere = await stated(['normalise', '--accept', 'shrink:isrctn', '--reason', 'Ada']);
    expect(elsewhere.said.message).toBe(
      '--accept shrink:isrctn: normalise lets only no-parent, older:clinicaltrials_gov, older:isrctn pass; give this one to `publish` or `run`',
    );
    // Known by its name: what is missing is a raw set.
    const older = await stated(['normalise', '--accept', 'older:isrctn', '--reason', 'Ada'], {
      DATA_DIR: join(root, 'empty'),
    });
    expect(older).toMatchObject({ exit: 1, said: { code: 'STAGE_FAILED' } });
    const settings = await stated(['list'], { FETCH_RATE: 'fast' });
    expect(settings).toMatchObject({ exit: 2, said: { code: 'WRONG_SETTINGS' } });
    expect(settings.said.message).toContain('FETCH_RATE');
  });

  it('are recorded where there is a folder to record in, of commands that are recorded', async () => {
    const directory = join(root, 'worded');
    const words = ['run', '--souce', 'dump'];
    await stated(words, { SNAPSHOTS_DIR: directory });
    expect(existsSync(directory)).toBe(false);
    await mkdir(directory);
    await stated(words, { SNAPSHOTS_DIR: directory });
    await stated(['list', '--souce'], { SNAPSHOTS_DIR: directory });
    expect(await readRunLog(directory)).toMatchObject([
      {
        ...{ command: 'run', arguments: ['--souce', 'dump', '--json'], state: 'turned-away' },
        end: { code: 'WRONG_USAGE', exitCode: 2, message: expect.stringContaining("unknown option '--souce'") },
      },
    ]);
  });
});

it('docs/pipeline.md lists exactly the codes with their exit codes', async () => {
  const text = await readFile(join(ROOT, 'docs', 'pipeline.md'), 'utf8');
  const listed = [...text.matchAll(/^\| (\d+) \| `([A-Z_]+)` \|/gm)].map(([, exit, code]) => [code, Number(exit)]);
  expect(Object.fromEntries(listed)).toEqual(EXIT_CODES);
});
