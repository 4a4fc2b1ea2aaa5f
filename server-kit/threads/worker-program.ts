import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Moved, type WorkerAnswer, type WorkerStart } from './worker-pool.ts';

/** The program of every worker: calls one function of a module for each message, in their order, and answers each. */
const { module, name, priority } = workerData as WorkerStart;
// Only Linux has a priority for a single thread.
if (priority > 0 && process.platform === 'linux') setPriority(priority);
const work = ((await import(module)) as Record<string, (input: unknown) => unknown>)[name]!;
let turn: Promise<void> = Promise.resolve();
parentPort!.on('message', (input: unknown) => {
  turn = turn.then(() => answer(input));
});

async function answer(input: unknown): Promise<void> {
  let outcome: WorkerAnswer;
  try {
    outcome = { output: await work(input) };
  } catch (fault) {
    outcome = { fault };
  }
  const moved = 'output' in outcome && outcome.output instanceof Moved ? outcome.output : null;
  parentPort!.postMessage(moved === null ? outcome : { output: moved.output }, moved?.buffers ?? []);
}
