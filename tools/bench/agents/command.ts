import { join } from 'node:path';
import { run } from '../../../pipeline/run/run.ts';
import { loadConfig } from '../../../server-kit/config/config.ts';
import { readCurrent } from '../../../snapshot/format/versions/current.ts';
import { ROOT, scratchFolder } from '../process.ts';
import { note, writeResults } from '../report.ts';
import { type AgentsResults, MOST_CALLS, MOST_TOKENS, measureAgents, type Outcome } from './measure.ts';

export const AGENTS_HELP = `       npm run bench -- agents [--json]

Eight everyday tasks, each by a scripted agent over MCP, A2A and the SDK on two days of the synthetic sample: calls, refusals,
tokens (characters / 4) of the answers read as text and as structured content, and whether the outcome is what plain SQL over
the snapshot's tables or the board over REST says.
`;

export async function benchAgents(json: boolean): Promise<void> {
  await using folder = await scratchFolder('agents');
  const [earlierVersion, version] = await publishTwoDays(folder.path);
  note('eight tasks over three interfaces');
  const results = await measureAgents({
    snapshotsDir: join(folder.path, 'snapshots'),
    dataDir: join(folder.path, 'service'),
    earlierVersion,
    version,
  });
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

function table({ tasks }: AgentsResults): string {
  const row = ({ task, interface: over, calls, refused, text, structured, wrong }: Outcome): string =>
    `| ${task} | ${over} | ${calls} | ${refused} | ${text} | ${structured} | ${wrong ?? 'right'} |`;
  return `${[
    `At most ${MOST_CALLS} calls and ${MOST_TOKENS} tokens may each task take over MCP and A2A.`,
    '',
    '| task | interface | calls | refused | tokens as text | as structure | outcome |',
    '|---|---|---|---|---|---|---|',
    ...tasks.map(row),
  ].join('\n')}\n`;
}
