import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunReport } from '../run/run.ts';
import { perform } from './command.ts';

beforeEach(() => void vi.stubEnv('BASE_URL', undefined));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What a text run that SIGTERM ends writes, and its exit code. */
async function stopped(reports: Partial<RunReport>) {
  const written: [string, string][] = [];
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => written.push([name, String(text)]) > 0);
  const codes: unknown[][] = [];
  vi.spyOn(process, 'exit').mockImplementation((...words) => codes.push(words) as never);
  // The listener alone: other listeners of this process are not the run's.
  await perform(false, async ({ told }) => {
    Object.assign(told, reports);
    process.listeners('SIGTERM').at(-1)!('SIGTERM');
    return null;
  });
  vi.restoreAllMocks();
  return { written, codes };
}

test('a run that is stopped tells on standard output what its stages had reported', async () => {
  const fetched = { registry: 'isrctn', ok: true, run: 'a', kind: 'full', records: 300, error: null } as const;
  const { written, codes } = await stopped({ fetch: [{ ...fetched, leftOut: [], gaps: [] }] });
  expect(written).toEqual([
    ['stdout', 'fetched  records  set\nisrctn       300  a\n'],
    ['stderr', expect.stringMatching(/^stopped by SIGTERM; what was stored is kept/)],
  ]);
  expect(codes).toEqual([[143]]);
  expect((await stopped({})).written.map(([name]) => name)).toEqual(['stderr']);
});
