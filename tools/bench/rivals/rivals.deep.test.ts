import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readCurrent } from '../../../snapshot/format/versions/current.ts';
import { rivalsTable } from './command.ts';
import { postgresPrograms } from './postgres/cluster.ts';
import { measureRivals, type RivalReport } from './rivals.ts';

const WORKS = ['coverage counts, mixed', 'search, common', 'search, mixed', 'search, rare', 'status mix, mixed'];
const SETTINGS = { seconds: 0.1, progress: () => {} };

async function sample(): Promise<string> {
  return join(inject('sampleSnapshots'), (await readCurrent(inject('sampleSnapshots'))) as string);
}

function expectEqualAnswers({ works, loadSeconds, bytesOnDisk }: RivalReport): void {
  expect(Object.keys(works).sort()).toEqual(WORKS);
  for (const { asked, of, differing, examples, latency, ours, ratioP50 } of Object.values(works)) {
    expect({ differing, examples }).toEqual({ differing: 0, examples: [] });
    expect(asked).toBeGreaterThanOrEqual(Math.min(10, of));
    expect(latency.count).toBeGreaterThanOrEqual(10);
    expect(ratioP50).toBeCloseTo(latency.p50Ms / ours.p50Ms);
  }
  expect(loadSeconds).toBeGreaterThan(0);
  expect(bytesOnDisk).toBeGreaterThan(0);
}

describe('the comparison with other engines', () => {
  it('gets our answers from SQLite and DuckDB over the sample, and reports ours over HTTP beside them', async () => {
    const results = await measureRivals(await sample(), { only: ['sqlite', 'duckdb'], ...SETTINGS });
    expect(results.rivals.map(({ name }) => name.split(' ')[0])).toEqual(['SQLite', 'DuckDB']);
    for (const rival of results.rivals) expectEqualAnswers(rival);
    expect(Object.keys(results.ours.works).sort()).toEqual(WORKS);
    for (const load of Object.values(results.ours.overHttp)) expect(load.failed).toBe(0);
    const table = rivalsTable(results);
    expect(table).toContain(`${results.trials} trials of snapshot ${results.snapshot}`);
    expect(table).not.toContain('answers differ');
  });

  it.skipIf(postgresPrograms() === null)('gets our answers from a private PostgreSQL too', async () => {
    const { rivals, skipped } = await measureRivals(await sample(), { only: ['postgres'], ...SETTINGS });
    expect(skipped).toEqual({});
    expect(rivals.map(({ name }) => name.split(' ')[0])).toEqual(['PostgreSQL']);
    for (const rival of rivals) expectEqualAnswers(rival);
    expect(rivals[0]?.roundTripMs).toBeGreaterThan(0);
  });
});
