import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { ROOT } from '../tree.ts';

/**
 * Runs before every test file where CPU_TO names a file, to which it adds a line for each: amount, seconds of processor time, path.
 * On a busy machine that time tells what a test costs, which its duration does not.
 */

/** A hundredth of a second on every Linux. */
const TICKS_IN_A_SECOND = 100;

/** Of this process and of those that it started and that have ended. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  // The name of the program, in parentheses, may have blanks.
  const after = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  const [ofChildren, inSystem] = after.slice(13, 15).map(Number) as [number, number];
  return (user + system) / 1_000_000 + (ofChildren + inSystem) / TICKS_IN_A_SECOND;
}

const to = process.env.CPU_TO;
if (to !== undefined) {
  const before = cpuSeconds();
  // Hooks end in the reverse order, so this one comes after those of the file.
  afterAll(() => {
    const path = relative(ROOT, expect.getState().testPath!);
    appendFileSync(
      to,
      `${inject('store') === 'postgres' ? 'postgres' : inject('amount')}\t${(cpuSeconds() - before).toFixed(2)}\t${path}\n`,
    );
  });
}
