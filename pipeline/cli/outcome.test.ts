import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../contract/run-outcomes.ts';
import { COMPILE_CACHE } from '../../test/support/compile-cache.ts';
import { isrctnTrial, nct, study } from '../../test/support/live-records.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { inDeeperPass } from '../../test/support/pass.ts';
import { ROOT } from '../../test/support/tree.ts';

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

async function pipeline(words: string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['pipeline/cli.ts', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  inDeeperPass(() => {
    test('is a code and an exit code: degraded without a registry, refused by the gate, whole with both', async () => {
      const alone = await stated(dump('three.ndjson'));
      expect(alone).toMatchObject({ exit: 3, said: { code: 'PUBLISHED_DEGRADED', exitCode: 3 } });
      const version = alone.said.published.version;

      const refused = await stated(dump('one.ndjson'));
      expect(refused).toMatchObject({ exit: 4, said: { code: 'REFUSED', exitCode: 4 } });
      expect(refused.said.breaches).toContainEqual({
        name: 'shrink:clinicaltrials_gov',
        detail: 'registrations fall from 3 to 1 (66.67 %, at most 2 %)',
        examples: [],
      });
      const current = await readFile(join(root, 'snapshots', 'CURRENT'), 'utf8');
      expect(current).toBe(`${version}\n`);

      const both = await stated([...dump('three.ndjson'), '--isrctn', join(root, 'trial.xml')]);
      expect(both).toMatchObject({ exit: 0, said: { code: 'PUBLISHED', exitCode: 0 } });
    });
  });

  test('is told to people in words', async () => {
    const { exit, output, errors } = await pipeline(dump('nothing.ndjson'));
    expect([exit, output]).toEqual([1, '']);
    expect(errors).toMatch(/^failed: .*nothing\.ndjson/m);
  });
});

describe('wrong words', () => {
  test('end with 2 and one JSON object, also where the command line cannot be read', async () => {
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
    const older = await stated(['normalise', '--accept', 'older:isrctn', '--reason', 'Ada']);
    expect(older).toMatchObject({ exit: 1, said: { code: 'STAGE_FAILED' } });
    const settings = await stated(['list'], { FETCH_RATE: 'fast' });
    expect(settings).toMatchObject({ exit: 2, said: { code: 'WRONG_SETTINGS' } });
    expect(settings.said.message).toContain('FETCH_RATE');
  });
});

test('docs/pipeline.md lists exactly the codes with their exit codes', async () => {
  const text = await readFile(join(ROOT, 'docs', 'pipeline.md'), 'utf8');
  const listed = [...text.matchAll(/^\| (\d) \| `([A-Z_]+)` \|/gm)].map(([, exit, code]) => [code, Number(exit)]);
  expect(Object.fromEntries(listed)).toEqual(EXIT_CODES);
});
