import { isDeepStrictEqual } from 'node:util';
import { snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { startMeasuredServer } from '../process.ts';
import { Agent, type Cost, type Known } from './agent.ts';
import { a2aDoor, type Door, type DoorName, mcpDoor, sdkDoor } from './doors.ts';
import { type Budgeted, measureAnswers, measureLists } from './lists.ts';
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
  door: DoorName;
  /** Why it is not right, where it is not. */
  wrong: string | null;
}

export interface AgentsResults {
  tasks: Outcome[];
  /** Lists and answers over MCP beside their budgets. */
  budgets: Budgeted[];
}

export interface Served {
  snapshotsDir: string;
  /** For what board and gateway keep. */
  dataDir: string;
  earlierVersion: string;
  version: string;
}

/** Starts board and gateway on a snapshot that has a parent, and lets a scripted agent do the eight tasks at each door. */
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
  const { listed, lists } = await measureLists(gateway.url);
  const known = { earlierVersion, yesterday: new Date(Date.now() - DAY_MS).toISOString() };
  const tasks: Outcome[] = [];
  for (const door of [mcpDoor(gateway.url, listed), a2aDoor(gateway.url), sdkDoor(gateway.url)]) {
    for (const task of Object.keys(TASKS)) tasks.push(await outcomeOf(task, door, known, truth));
  }
  return { tasks, budgets: [...lists, ...(await measureAnswers(gateway.url))] };
}

async function outcomeOf(name: string, door: Door, known: Known, truth: Truth): Promise<Outcome> {
  const task = TASKS[name]!;
  const agent = new Agent(door, known);
  let wrong: string | null = null;
  try {
    const [ended, expected] = [await task.run(agent), await task.truth(truth)];
    if (expected === undefined || !isDeepStrictEqual(ended, expected))
      wrong = `${JSON.stringify(ended)}, not ${JSON.stringify(expected)}`;
  } catch (error) {
    wrong = error instanceof Error ? error.message : String(error);
  }
  return { task: name, door: door.name, ...agent.cost, wrong };
}
