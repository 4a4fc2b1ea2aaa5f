import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { twoVersions } from '../../../test/support/two-versions.ts';
import { type AgentsResults, MOST_CALLS, MOST_TOKENS, measureAgents } from './measure.ts';

let results: AgentsResults;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trial-board-agents-'));
  await using versions = await twoVersions();
  const { snapshotsDir, older, newer } = versions;
  results = await measureAgents({ snapshotsDir, dataDir, earlierVersion: older, version: newer });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('an agent over each interface ends every task with what is true, and without a refusal', () => {
  expect(results.tasks.length).toBe(24);
  expect(results.tasks.filter(({ wrong, refused }) => wrong !== null || refused > 0)).toEqual([]);
});

test('each task takes at most six calls and 8,000 tokens over MCP and A2A', () => {
  const forModels = results.tasks.filter(({ interface: over }) => over !== 'SDK');
  const above = forModels.filter(
    ({ calls, text, structured }) => calls > MOST_CALLS || Math.max(text, structured) > MOST_TOKENS,
  );
  expect(above).toEqual([]);
});
