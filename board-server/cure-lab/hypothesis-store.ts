import { hypothesisSchema } from '../../contract/schemas/research/cure-lab.ts';
import { resource } from '../kit/resource.ts';
import type { Transaction } from '../store/transaction.ts';

export const hypotheses = resource({
  table: 'hypotheses',
  prefix: 'hyp',
  object: 'hypothesis',
  title: 'title',
  fields: hypothesisSchema,
  filters: ['agentName', 'track'],
});

/** Sets the state to which the first evidence moves a hypothesis; by primary key. */
export async function setGathering(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable('hypotheses').set({ state: 'gathering' }).where('id', '=', id).execute();
}
