import { spawn } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { tracked } from './process.ts';

const PROGRAM = fileURLToPath(new URL('./awake-child.ts', import.meta.url));

/**
 * Keeps every core busy with a program that gives way to all others: a core of a virtual machine that sleeps for want of
 * work may be woken late. How much that helps differed from run to run (docs/performance.md).
 */
export function keepAwake(): Disposable {
  const children = Array.from({ length: availableParallelism() }, () =>
    tracked(spawn(process.execPath, [PROGRAM], { env: {}, stdio: 'ignore' })),
  );
  for (const { pid } of children) if (pid !== undefined) giveWay(pid);
  return {
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already: then it keeps nothing awake and takes nothing either.
  }
}
