import { isDeepStrictEqual } from 'node:util';
import { snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { startMeasuredServer } from '../process.ts';
import {
  Agent,
  a2aInterface,
  type Cost,
  type Interface,
  type InterfaceName,
  type Known,
  mcpInterface,
  rpc,
  sdkInterface,
} from './interfaces.ts';
import { TASKS } from './tasks.ts';
import { openTruth, type Truth } from './truth.ts';

const OFFLINE = {
  PATH: '',
  PUBMED_URL: 'off',
  EUROPEPMC_URL: 'off',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'info',
  // Agents come from different addresses.
  TRUSTED_PROXIES: '1',
};
const DAY_MS = 86_400_000;
/** Asked of each task over MCP and A2A. */
export const MOST_CALLS = 6;
export const MOST_TOKENS = 8000;

export interface Outcome extends Cost {
  task: string;
  interface: InterfaceName;
  /** Why it is not right, where it is not. */
  wrong: string | null;
}

export interface AgentsResults {
  tasks: Outcome[];
}

export interface Served {
  snapshotsDir: string;
  /** For what board and gateway keep. */
  dataDir: string;
  earlierVersion: string;
  version: string;
}

/** Starts board and gateway on a snapshot that has a parent, and lets a scripted agent do the eight tasks over each interface. */
export async function measureAgents({
  snapshotsDir,
  dataDir,
  earlierVersion,
  version,
}: Served): Promise<AgentsResults> {
  const environment = { ...OFFLINE, DATA_DIR: dataDir, SNAPSHOTS_DIR: snapshotsDir };
  await using board = await startMeasuredServer('board-server/main.ts', { ...environment, BOARD_PORT: '0' });
  await using gateway = await startMeasuredServer('gateway/main.ts', { ...environment, BOARD_URL: board.url });
  await using truth = await openTruth(snapshotPath(snapshotsDir, version), gateway.url);
  const { tools } = await rpc(`${gateway.url}/api/v1/mcp`, 'tools/list', {}, '10.1.1.1');
  const listed = new Set<string>(tools.map(({ name }: { name: string }) => name));
  const known = { earlierVersion, yesterday: new Date(Date.now() - DAY_MS).toISOString() };
  const tasks: Outcome[] = [];
  for (const one of [mcpInterface(gateway.url, listed), a2aInterface(gateway.url), sdkInterface(gateway.url)]) {
    for (const task of Object.keys(TASKS)) tasks.push(await outcomeOf(task, one, known, truth));
  }
  return { tasks };
}

async function outcomeOf(name: string, over: Interface, known: Known, truth: Truth): Promise<Outcome> {
  const task = TASKS[name]!;
  const agent = new Agent(over, known);
  let wrong: string | null = null;
  try {
    const [ended, expected] = [await task.run(agent), await task.truth(truth)];
    if (expected === undefined || !isDeepStrictEqual(ended, expected))
      wrong = `${JSON.stringify(ended)}, not ${JSON.stringify(expected)}`;
  } catch (error) {
    wrong = error instanceof Error ? error.message : String(error);
  }
  return { task: name, interface: over.name, ...agent.cost, wrong };
}
