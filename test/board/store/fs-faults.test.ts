import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Board } from '../../../board-server/store/board.ts';
import { verifyFile } from '../../../board-server/store/sqlite/verify-file.ts';
import { countedBytes, TestClock } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';
import { type FsFault, faultLibrary, withFault } from '../../support/faults/fs-faults.ts';
import { amountOf } from '../../support/runner/amount.ts';
import { COMPILE_CACHE } from '../../support/runner/compile-cache.ts';
import { ROOT } from '../../support/tree.ts';

const KINDS = ['EIO', 'ENOSPC', 'short'] as const;
const effects = () => ({ now: new TestClock().now, random: countedBytes() });
const WRITES = ['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'last'];

const root = mkdtempSync(join(tmpdir(), 'trial-board-fs-faults-'));
const library = faultLibrary(root);
beforeAll(async () => {
  mkdirSync(join(root, 'model'));
  await using board = await Board.open(join(root, 'model', 'board.sqlite'), effects());
  await post(board, 'claim', 'before');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let runs = 0;

/** Runs the writes in a process of their own; what it said, the number of its calls, and what the file then holds. */
async function run(fault: Omit<FsFault, 'under'>) {
  runs += 1;
  const under = join(root, `run-${runs}`);
  cpSync(join(root, 'model'), under, { recursive: true });
  const path = join(under, 'board.sqlite');
  const countFile = join(root, `count-${runs}`);
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, ...withFault(library!, { ...fault, under }, countFile) };
  const child = spawn(process.execPath, ['test/support/board/faulty-board.ts', path], { cwd: ROOT, env });
  const [said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const lines = said.split('\n').filter((line) => line !== '');
  await using board = await Board.open(path, effects());
  const rows = await board.read.selectFrom('events').select('object_id').orderBy('ts').execute();
  const held = rows.map(({ object_id }) => object_id);
  expect((await verifyFile(path)).problems).toEqual([]);
  await post(board, 'claim', 'afterwards');
  return { lines, held, calls: Number(readFileSync(countFile, 'utf8')) };
}

const named = (lines: readonly string[], outcome: string) =>
  lines.flatMap((line) => (line.startsWith(`${outcome} `) ? [line.slice(outcome.length + 1)] : []));

describe.skipIf(library === null)('a fault of the file system under the board', () => {
  it('at any call leaves a file that opens, a whole chain, and every write that was acknowledged', async () => {
    const sound = await run({ at: 0, kind: 'EIO' });
    expect(sound.held).toEqual(['before', ...WRITES]);
    expect(sound.calls).toBeGreaterThan(10);
    const step = amountOf({ quick: Math.ceil(sound.calls / 4), deep: 1 });
    for (let at = 1; at <= sound.calls; at += step) {
      for (const kind of amountOf<readonly FsFault['kind'][]>({ quick: [KINDS[at % 3]!], deep: KINDS })) {
        const { lines, held } = await run({ at, kind });
        const stored = named(lines, 'stored');
        const place = `${kind} at call ${at}: ${lines.join(', ')}`;
        expect(
          held.filter((name) => name === 'before' || stored.includes(name)),
          place,
        ).toEqual(['before', ...stored]);
        // A write that was refused may be there only if its commit was on the disk before the fault.
        const refused = held.filter((name) => name !== 'before' && !stored.includes(name));
        expect(refused.length, place).toBeLessThanOrEqual(1);
        if (kind === 'EIO' && lines.some((line) => line.startsWith('proven'))) {
          expect(lines, place).toContain('proven true');
          expect(stored, place).toContain('last');
        }
      }
    }
  });
});
