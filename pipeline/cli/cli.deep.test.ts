import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { EXIT_CODES } from '../../contract/run-outcomes.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { startFakeRegistry } from '../../test/fakes/registry-server.ts';
import { someStudies } from '../../test/support/dump-runs.ts';
import { folderOfFile } from '../../test/support/folders.ts';
import { isrctnTrial } from '../../test/support/live-records.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { startPipeline } from '../../test/support/pipeline-process.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { ROOT } from '../../test/support/tree.ts';
import { until } from '../../test/support/until.ts';
import { DATA_LOCK, SNAPSHOTS_LOCK } from '../lock.ts';

/** The command line as a process: what it writes and how it ends. */

const { path: root } = folderOfFile();
const environment = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
beforeAll(async () => {
  const lines = someStudies(3).map((one) => `${JSON.stringify(one)}\n`);
  await writeFile(join(root, 'three.ndjson'), lines.join(''));
  await writeFile(join(root, 'one.ndjson'), lines[0]!);
  await writeFile(join(root, 'trial.xml'), isrctnTrial({ number: '91000000' }).xml);
});

const start = (words: string[], more: Record<string, string> = {}) => startPipeline(words, { ...environment, ...more });
const pipeline = (words: string[], more?: Record<string, string>) => start(words, more).ended;

/** The one line of JSON that a command wrote, with nothing beside it. */
async function stated(words: string[], more?: Record<string, string>) {
  const { code: exit, out, errors } = await pipeline([...words, '--json'], more);
  expect(errors).toBe('');
  expect(out.split('\n')).toEqual([expect.any(String), '']);
  return { exit, said: JSON.parse(out) };
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
      const shrunk = { name: 'shrink:clinicaltrials_gov', verdict: 'refused' };
      expect(refused.said.checks).toContainEqual(expect.objectContaining(shrunk));
      const inWords = await pipeline(dump('one.ndjson'));
      expect(inWords.out).toMatch(
        /^fetched .*\nclinicaltrials_gov +1 .*\nregistry .*\nclinicaltrials_gov +answered +1 /,
      );
      expect(inWords.out).toContain('dedup     registrations 1, superseded 0, trials 1');
      expect(inWords.errors).toMatch(/^refused: not published; the served snapshot stays:/m);

      const both = await stated([...dump('three.ndjson'), '--isrctn', join(root, 'trial.xml')]);
      expect(both).toMatchObject({ exit: 0, said: { code: 'PUBLISHED', exitCode: 0 } });
    });
  });

  it('is told to people in words', async () => {
    const { code, out, errors } = await pipeline(dump('nothing.ndjson'));
    expect(code).toBe(1);
    expect(out).toContain('fault     clinicaltrials_gov: nothing.ndjson does not exist; give the path of a dump\n');
    expect(errors).toMatch(
      /^failed: .*nothing\.ndjson[\s\S]*\nnext: Mend the file or the path that the message names: /m,
    );
    expect((await pipeline(['runs', '--limit', '1'])).out).toContain('\nnext      Mend the file or the path that the');
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

  deep.it('of a run that is under way or stopped is in its record, and another one is locked out', async () => {
    await using registry = await startFakeRegistry({
      faults: [{ endpoint: 'version', at: 1, kind: 'down', times: Number.POSITIVE_INFINITY }],
    });
    const folders = { DATA_DIR: join(root, 'held'), SNAPSHOTS_DIR: join(root, 'held-snapshots') };
    const live = { ...folders, CTGOV_URL: registry.url, ISRCTN_URL: registry.url };
    const words = ['run', '--source', 'live', '--registry', 'clinicaltrials_gov'];
    /** A run that waits in fetch, for a registry that does not answer. */
    const waiting = async () => {
      const started = start(words, live);
      await until(async () => (await readRunLog(live.SNAPSHOTS_DIR))[0]?.stage === 'fetch');
      return started;
    };
    const stopped = await waiting();
    const locked = await stated(['publish'], live);
    expect(locked).toMatchObject({ exit: 1, said: { code: 'LOCKED' } });
    expect((await pipeline(['runs'], live)).out).toMatch(
      /^run {7}\S+ {2}run --source live --registry clinicaltrials_gov\n {10}under way in fetch\n$/,
    );
    stopped.child.kill('SIGTERM');
    expect((await stopped.ended).code).toBe(143);
    // Nobody is told of a kill that was none.
    for (const lock of [join(live.DATA_DIR, DATA_LOCK), join(live.SNAPSHOTS_DIR, SNAPSHOTS_LOCK)])
      expect(await readFile(lock, 'utf8')).toBe('');
    // run-record.test.ts has the message, and kill.deep.test.ts kills.
    const end = { code: 'STOPPED', exitCode: 143, stages: [{ stage: 'fetch' }] };
    expect((await readRunLog(live.SNAPSHOTS_DIR))[0]).toMatchObject({ state: 'ended', end });
  });
});

describe('wrong words', () => {
  const accept = (command: string, name: string) => [command, '--accept', name, '--reason', 'Ada'];
  const WRONG: [words: string[], exit: number, code: string, message: RegExp][] = [
    [['run', '--souce', 'dump'], 2, 'WRONG_USAGE', /^unknown option '--souce'\n\(Did you mean --source\?\)\n/],
    [['publish', '--source', 'moon'], 2, 'WRONG_USAGE', /moon/],
    [['schedule', '--cron', 'soon'], 2, 'WRONG_USAGE', /soon/],
    [
      accept('publish', 'shrink:isrtcn'),
      2,
      'WRONG_USAGE',
      /^--accept shrink:isrtcn: no check has this name; the nearest are shrink:isrctn,/,
    ],
    [['publish', '--accept', 'shrink:isrctn'], 2, 'WRONG_USAGE', /--accept needs --reason/],
    [
      accept('normalise', 'shrink:isrctn'),
      2,
      'WRONG_USAGE',
      /: normalise lets only no-parent, older:clinicaltrials_gov, older:isrctn pass; give this one to `publish` or `run`$/,
    ],
    // Known by its name: what is missing is a raw set.
    [accept('normalise', 'older:isrctn'), 1, 'STAGE_FAILED', /./],
    [['list'], 2, 'WRONG_SETTINGS', /FETCH_RATE/],
  ];
  deep.it.for(WRONG)('%j end with %i and one JSON object: %s', async ([words, exit, code, message]) => {
    const settings = { DATA_DIR: join(root, 'empty'), ...(code === 'WRONG_SETTINGS' && { FETCH_RATE: 'fast' }) };
    const found = await stated(words, settings);
    expect(found).toMatchObject({ exit, said: { code, message: expect.stringMatching(message) } });
  });
});

it('docs/pipeline.md lists exactly the codes with their exit codes', async () => {
  const text = await readFile(join(ROOT, 'docs', 'pipeline.md'), 'utf8');
  const listed = [...text.matchAll(/^\| (\d+) \| `([A-Z_]+)` \|/gm)].map(([, exit, code]) => [code, Number(exit)]);
  expect(Object.fromEntries(listed)).toEqual(EXIT_CODES);
});
