import { parentPort } from 'node:worker_threads';
import type { ModelRun } from '../../../index-server/twin/model-run.ts';

/** Replaces the worker of model runs and fails as the model's id says. */
parentPort?.on('message', (run: ModelRun) => {
  const id = run.kind === 'experiment' ? run.input.model.id : '';
  if (id === 'exit') process.exit(3);
  if (id === 'throw') throw new Error('a fault of the thread');
  if (id === 'memory') for (const held: string[][] = []; ; ) held.push(new Array<string>(1e6).fill(`${held.length}`));
  if (id === 'busy') for (;;) Math.sqrt(2);
  parentPort?.postMessage({ json: Buffer.from('{}') });
});
