import { describe, expect, it } from 'vitest';
import { counterOf, currentCounter } from '../../board-server/results-gap/counter.ts';
import { Population } from '../../board-server/results-gap/population.ts';
import { ReportLog } from '../../board-server/results-gap/report-log.ts';
import { populationOf } from '../support/board/results-gap.ts';

describe('the population of the board server', () => {
  it('is counted on the day of the snapshot, and anew over another snapshot', async () => {
    const ledger = new ReportLog('name');
    const trials = [{ nctId: 'NCT00000013', completed: '2025-01-10' }];
    const { current: before } = await populationOf(trials, '2026-07-09');
    const { current: after } = await populationOf(trials, '2026-07-10');
    const { current: none } = await populationOf([{ nctId: 'NCT00000013', completed: null }], '2026-07-10');
    const asked = [
      [before, '2026-07-09', 0],
      [after, '2026-07-10', 1],
      [after, '2026-07-10', 1],
      [none, '2026-07-10', 0],
      [before, '2026-07-09', 0],
    ] as const;
    for (const [population, asOf, size] of asked) {
      const guide = currentCounter(population, ledger);
      expect([guide.asOf, guide.population, guide]).toEqual([asOf, size, counterOf(population, ledger)]);
    }
  });

  it('finds every row by its id and none by another', async () => {
    const ids = ['NCT00000013', 'NCT00000026', 'NCT00000039', 'NCT00000052', 'NCT00000065'];
    const { current } = await populationOf(ids.toReversed().map((nctId) => ({ nctId, completed: '2020-01' })));
    expect(current).toBeInstanceOf(Population);
    expect(ids.map((id) => current.rowOf(id))).toEqual([0, 1, 2, 3, 4]);
    expect(['NCT00000000', 'NCT00000027', 'NCT99999999'].map((id) => current.rowOf(id))).toEqual([null, null, null]);
  });
});
