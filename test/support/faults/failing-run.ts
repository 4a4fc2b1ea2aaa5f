import type { ModelRun, ModelRunResult } from '../../../index-server/twin/model-run.ts';

/** Replaces the function of model runs and fails as the model's id says. */
export function carryOut(run: ModelRun): ModelRunResult {
  const id = run.kind === 'experiment' ? run.input.model.id : '';
  if (id === 'exit') process.exit(3);
  if (id === 'throw') throw new Error('a fault of the run');
  if (id === 'memory') for (const held: string[][] = []; ; ) held.push(new Array<string>(1e6).fill(`${held.length}`));
  if (id === 'busy') for (;;) Math.sqrt(2);
  return { json: Buffer.from('{}') };
}
