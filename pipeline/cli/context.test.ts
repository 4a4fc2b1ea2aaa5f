import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withContext } from './context.ts';

beforeEach(() => void vi.stubEnv('BASE_URL', undefined));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What a text run that SIGTERM ends writes, and its exit code. */
async function stopped(reports: () => string) {
  const written: [string, string][] = [];
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => written.push([name, String(text)]) > 0);
  const codes: unknown[][] = [];
  vi.spyOn(process, 'exit').mockImplementation((...words) => codes.push(words) as never);
  // The listener alone: other listeners of this process are not the run's.
  const work = async () => {
    process.listeners('SIGTERM').at(-1)!('SIGTERM');
    return null;
  };
  await withContext(false, work, { reports });
  vi.restoreAllMocks();
  return { written, codes };
}

test('a run that is stopped tells on standard output what its stages had reported', async () => {
  const { written, codes } = await stopped(() => 'fetched   isrctn: 300 records in a');
  expect(written).toEqual([
    ['stdout', 'fetched   isrctn: 300 records in a\n'],
    ['stderr', expect.stringMatching(/^stopped by SIGTERM; what was stored is kept/)],
  ]);
  expect(codes).toEqual([[143]]);
  expect((await stopped(() => '')).written.map(([name]) => name)).toEqual(['stderr']);
});
