import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadConfig } from '../../config/config.ts';
import { run } from '../../pipeline/run/run.ts';
import { readCurrent, snapshotPath } from '../../snapshot-format/current.ts';
import { ROOT, scratchFolder, startMeasuredServer } from '../process.ts';
import { note, writeResults } from '../report.ts';
import { Agent, type Cost, type Known } from './agent.ts';
import { a2aDoor, type Door, type DoorName, mcpDoor, sdkDoor } from './doors.ts';
import { type Budgeted, measureAnswers, measureLists } from './lists.ts';
import { TASKS } from './tasks.ts';
import { openTruth, type Truth } from './truth.ts';

export const AGENTS_HELP = `       npm run bench -- agents [--json]

Eight everyday tasks, each by a scripted agent over MCP, A2A and the SDK on two days of the synthetic sample: calls, refusals,
tokens (characters / 4) of the answers read as text and as structured content, and whether the outcome is what plain SQL over
the snapshot's tables or the board over REST says. Then the tokens of the lists and answers beside their budgets.
`;

const OFFLINE = {
  PATH: '',
  PUBMED_URL: 'off',
  EUROPEPMC_URL: 'off',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'info',
  TRUSTED_PROXIES: '1',
};
const DAY_MS = 86_400_000;
const MOST_CALLS = 6;
const MOST_TOKENS = 8000;

interface Outcome extends Cost {
  task: string;
  door: DoorName;
  /** Why it is not right, where it is not. */
  wrong: string | null;
}

interface AgentsResults {
  tasks: Outcome[];
  lists: Budgeted[];
  answers: Budgeted[];
}

export async function benchAgents(json: boolean): Promise<void> {
  await using folder = await scratchFolder('agents');
  const [earlierVersion, current] = await publishTwoDays(folder.path);
  const snapshots = join(folder.path, 'snapshots');
  const environment = { ...OFFLINE, DATA_DIR: join(folder.path, 'service'), SNAPSHOTS_DIR: snapshots };
  await using board = await startMeasuredServer('board-server/main.ts', { ...environment, BOARD_PORT: '0' });
  await using gateway = await startMeasuredServer('gateway/main.ts', { ...environment, BOARD_URL: board.url });
  await using truth = await openTruth(snapshotPath(snapshots, current), gateway.url);
  const { listed, lists } = await measureLists(gateway.url);
  const known = { earlierVersion, yesterday: new Date(Date.now() - DAY_MS).toISOString() };
  const tasks: Outcome[] = [];
  for (const door of [mcpDoor(gateway.url, listed), a2aDoor(gateway.url), sdkDoor(gateway.url)]) {
    note(`eight tasks over ${door.name}`);
    for (const task of Object.keys(TASKS)) tasks.push(await outcomeOf(task, door, known, truth));
  }
  const results: AgentsResults = { tasks, lists, answers: await measureAnswers(gateway.url) };
  await writeResults('agents', results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

async function publishTwoDays(root: string): Promise<[earlier: string, current: string]> {
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  const versions: string[] = [];
  for (const day of [0, 1] as const) {
    note(`publishing day ${day} of the sample`);
    const sample = { directory: join(ROOT, 'data', 'sample'), day };
    const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
    await run({ source: 'sample', mode: 'auto', accept: [], sample }, config, effects);
    versions.push((await readCurrent(config.snapshotsDir))!);
  }
  return versions as [string, string];
}

async function outcomeOf(name: string, door: Door, known: Known, truth: Truth): Promise<Outcome> {
  const task = TASKS[name]!;
  const agent = new Agent(door, known);
  let wrong: string | null = null;
  try {
    const [ended, expected] = [await task.run(agent), await task.truth(truth)];
    if (!isDeepStrictEqual(ended, expected)) wrong = `${JSON.stringify(ended)}, not ${JSON.stringify(expected)}`;
  } catch (error) {
    wrong = error instanceof Error ? error.message : String(error);
  }
  return { task: name, door: door.name, ...agent.cost, wrong };
}

function table({ tasks, lists, answers }: AgentsResults): string {
  const row = ({ task, door, calls, refused, text, structured, wrong }: Outcome): string =>
    `| ${task} | ${door} | ${calls} | ${refused} | ${text} | ${structured} | ${wrong ?? 'right'} |`;
  const budget = ({ what, tokens, budget: most }: Budgeted): string =>
    `| ${what} | ${tokens} | ${most ?? 'none'} | ${most === null || tokens <= most ? '' : 'over'} |`;
  return `${[
    `At most ${MOST_CALLS} calls and ${MOST_TOKENS} tokens are asked of each task over MCP and A2A.`,
    '',
    '| task | door | calls | refused | tokens as text | as structure | outcome |',
    '|---|---|---|---|---|---|---|',
    ...tasks.map(row),
    '',
    '| over MCP | tokens | budget | |',
    '|---|---|---|---|',
    ...[...lists, ...answers].map(budget),
  ].join('\n')}\n`;
}
