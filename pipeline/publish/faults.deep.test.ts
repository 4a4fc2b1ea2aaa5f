import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readCurrent, readCurrentManifest } from '../../snapshot/format/versions/current.ts';
import { faultLibrary, withFault } from '../../test/support/faults/fs-faults.ts';
import { folderOfFile } from '../../test/support/folders.ts';
import { COMPILE_CACHE } from '../../test/support/runner/compile-cache.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { checkLog } from './checks/check-log.ts';

const PUBLISHER = fileURLToPath(new URL('../../test/support/faults/crash-process.ts', import.meta.url));
const KINDS = ['EIO', 'ENOSPC', 'short'] as const;
/** Calls that write the newest checkpoint of the log and CURRENT, each of which leaves another state. */
const LAST = 8;
/** The last calls, and some of those before, which all write and sync files of a folder that has no name yet. */
function triedOf(calls: number): number[] {
  const all = Array.from({ length: calls }, (_, at) => at + 1);
  const every = Math.ceil((calls - LAST) / 8);
  return all.filter((at) => at > calls - LAST || at % every === 1);
}

const folder = folderOfFile();
mkdirSync(folder.path, { recursive: true });
const library = faultLibrary(folder.path);

/** Publishes in a process of its own, one of whose calls to the file system fails; none where `at` is 0. */
function publishWith(root: string, at = 0, kind: (typeof KINDS)[number] = 'EIO') {
  const fault = withFault(library!, { under: join(root, 'snapshots'), at, kind }, `${root}-calls`);
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, ...fault };
  return new Promise<{ code: number; stderr: string }>((done) => {
    execFile(process.execPath, [PUBLISHER, root, String(Number.MAX_SAFE_INTEGER)], { env }, (error, _out, stderr) =>
      done({ code: Number(error?.code ?? 0), stderr }),
    );
  });
}

test.skipIf(library === null)(
  'a fault of any call to the file system leaves CURRENT at the old or the new snapshot, whole, and the exit code says which',
  async () => {
    await using publisher = await TestPublisher.of();
    await publisher.close();
    const { path: root, snapshots } = publisher;
    for (const _version of [1, 2]) expect(await publishWith(root)).toMatchObject({ code: 0 });
    const calls = Number(await readFile(`${root}-calls`, 'utf8'));
    expect(calls).toBeGreaterThan(30);
    let old = (await readCurrent(snapshots))!;
    const outcomes = { failed: 0, replaced: 0, published: 0 };
    // The last one makes the rename of CURRENT durable.
    for (const at of triedOf(calls)) {
      const kind = KINDS[at % KINDS.length]!;
      const what = `call ${at} of ${calls}, ${kind}`;
      const { code, stderr } = await publishWith(root, at, kind);
      const current = (await readCurrent(snapshots))!;
      expect(await publisher.problems(current), what).toEqual([]);
      if (code !== 0) expect(stderr, what).toMatch(/EIO|ENOSPC|Input\/output error|No space left/);
      const saysNew = code === 0 || stderr.includes('CURRENT was replaced and its new content holds');
      expect(current !== old, `${what}: exit code ${code}, ${stderr}`).toBe(saysNew);
      outcomes[code === 0 ? 'published' : saysNew ? 'replaced' : 'failed'] += 1;
      old = current;
      // A snapshot that is in the log already is not added again, so that the next publication would have fewer calls.
      const identity = (await readCurrentManifest(snapshots))?.identity;
      if ((await checkLog(snapshots, null)).entries.at(-1)?.identity === identity) continue;
      expect(await publishWith(root), what).toMatchObject({ code: 0 });
      old = (await readCurrent(snapshots))!;
    }
    expect(outcomes).toMatchObject({ published: 0, replaced: 1 });
    expect(await publishWith(root)).toMatchObject({ code: 0 });
    expect(await readCurrent(snapshots)).not.toBe(old);
  },
);
