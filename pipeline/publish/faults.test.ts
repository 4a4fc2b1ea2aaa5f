import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readCurrent, readCurrentManifest } from '../../snapshot/format/versions/current.ts';
import {
  makeWorkingDatabase,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../test/builders/working-database.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { COMPILE_CACHE } from '../../test/support/runner/compile-cache.ts';
import { checkLog } from './checks/check-log.ts';
import { verify } from './verify/verify.ts';

const PUBLISHER = fileURLToPath(new URL('../../test/support/faults/crash-process.ts', import.meta.url));
const SHIM = fileURLToPath(new URL('../../test/support/faults/fs-faults.c', import.meta.url));
const COMPILER = ['/usr/bin/gcc', '/usr/bin/cc'].find(existsSync);
const KINDS = ['EIO', 'ENOSPC', 'short'] as const;
/** The quick run tries one call in the middle and the last one, the deep run each; the kinds take turns. */
const triedOf = amountOf({
  quick: (calls: number) => [calls >> 1, calls],
  deep: (calls: number) => Array.from({ length: calls }, (_, at) => at + 1),
});

interface Ended {
  code: number;
  stderr: string;
}

/** Publishes in a process of its own, one of whose calls to the file system fails. */
function publishWith(root: string, library: string, at: number, kind: string): Promise<Ended> {
  const env = {
    PATH: process.env.PATH,
    ...COMPILE_CACHE,
    LD_PRELOAD: library,
    FS_FAULTS_UNDER: join(root, 'snapshots'),
    FS_FAULTS_AT: String(at),
    FS_FAULTS_KIND: kind,
    FS_FAULTS_COUNT: `${root}-calls`,
  };
  return new Promise((done) => {
    execFile(process.execPath, [PUBLISHER, root, String(Number.MAX_SAFE_INTEGER)], { env }, (error, _out, stderr) =>
      done({ code: Number(error?.code ?? 0), stderr }),
    );
  });
}

async function identityOfServed(snapshots: string): Promise<string | undefined> {
  return (await readCurrentManifest(snapshots))?.identity;
}

const canFail = process.platform === 'linux' && COMPILER !== undefined;
const title =
  'a fault of any call to the file system leaves CURRENT at the old or the new snapshot, whole, and the exit code says which';

test.skipIf(!canFail)(canFail ? title : `${title} (skipped: needs Linux and gcc)`, async () => {
  await using folder = await temporaryDirectory();
  const root = join(folder.path, 'root');
  const snapshots = join(root, 'snapshots');
  const library = join(folder.path, 'fs-faults.so');
  await promisify(execFile)(COMPILER!, ['-shared', '-fPIC', '-O1', '-o', library, SHIM, '-ldl']);
  await (await makeWorkingDatabase(join(root, 'data'), tinyCorpus)).close();
  expect(await publishWith(root, library, 0, 'EIO')).toMatchObject({ code: 0 });
  expect(await publishWith(root, library, 0, 'EIO')).toMatchObject({ code: 0 });
  const calls = Number(await readFile(`${root}-calls`, 'utf8'));
  expect(calls).toBeGreaterThan(30);
  let old = (await readCurrent(snapshots))!;
  const outcomes = { failed: 0, replaced: 0, published: 0 };
  // The last one makes the rename of CURRENT durable.
  for (const at of triedOf(calls)) {
    const kind = KINDS[at % KINDS.length]!;
    const what = `call ${at} of ${calls}, ${kind}`;
    const { code, stderr } = await publishWith(root, library, at, kind);
    const current = (await readCurrent(snapshots))!;
    expect((await verify(snapshots, current, quietEffects())).problems, what).toEqual([]);
    if (code !== 0) expect(stderr, what).toMatch(/EIO|ENOSPC|Input\/output error|No space left/);
    const saysNew = code === 0 || stderr.includes('CURRENT was replaced and its new content holds');
    expect(current !== old, `${what}: exit code ${code}, ${stderr}`).toBe(saysNew);
    outcomes[code === 0 ? 'published' : saysNew ? 'replaced' : 'failed'] += 1;
    old = current;
    // A snapshot that is in the log already is not added again, so that the next publication would have fewer calls.
    if ((await checkLog(snapshots, null)).entries.at(-1)?.identity === (await identityOfServed(snapshots))) continue;
    expect(await publishWith(root, library, 0, 'EIO'), what).toMatchObject({ code: 0 });
    old = (await readCurrent(snapshots))!;
  }
  expect(outcomes).toMatchObject({ published: 0, replaced: 1 });
  expect(await publishWith(root, library, 0, 'EIO')).toMatchObject({ code: 0 });
  expect(await readCurrent(snapshots)).not.toBe(old);
});
