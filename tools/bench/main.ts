import { parseArgs } from 'node:util';
import { AGENTS_HELP, benchAgents } from './agents/command.ts';
import { BOARD_HELP, benchBoard } from './board/board.ts';
import { benchCluster, CLUSTER_HELP, CLUSTER_PARTS } from './cluster.ts';
import { benchCosts, COSTS_HELP } from './costs.ts';
import { benchFull, FULL_HELP, readFullWords } from './full/full.ts';
import { benchHostile, HOSTILE_HELP } from './hostile.ts';
import { cleanUpOnSignals } from './process.ts';
import { benchRivals, RIVALS_HELP } from './rivals/command.ts';
import { RIVALS } from './rivals/rivals.ts';

const HELP = `Usage:
${FULL_HELP}
${BOARD_HELP}
${CLUSTER_HELP}
${HOSTILE_HELP}
${COSTS_HELP}
${AGENTS_HELP}
${RIVALS_HELP}
Results also go to bench-results/ as JSON. Figures of a shared machine are noisy; compare within one run.
`;
const EXIT_USAGE = 2;
/** Of the registries, where no benchmark is named: some minutes. */
const SMALL_PERCENT = '5';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    events: { type: 'string', default: '1000000' },
    followers: { type: 'string', default: '10000' },
    seconds: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    percent: { type: 'string' },
    skip: { type: 'string', default: '' },
    corpus: { type: 'string' },
    snapshot: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { json, keep, corpus = null, snapshot = null } = values;

function whole(name: 'scale' | 'seed' | 'events' | 'followers', min: number): number {
  return wholeOf(values[name], min, name);
}

function wholeOf(text: string, min: number, name: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new RangeError(`--${name} takes a whole number from ${min}`);
}

/** The names of --only, all of them where it is absent. */
function only<Name extends string>(names: readonly Name[]): Name[] {
  const wanted = values.only?.split(',') ?? names;
  const found = names.filter((name) => wanted.includes(name));
  if (found.length === wanted.length) return found;
  throw new RangeError(`--only takes a comma-separated list of ${names.join(', ')}`);
}

const seconds = (usual = '5'): number => wholeOf(values.seconds ?? usual, 1, 'seconds');

const BENCHES: Record<string, () => Promise<void>> = {
  full: () => {
    const percent = values.percent ?? (positionals.length > 0 ? '100' : SMALL_PERCENT);
    const words = readFullWords({ percent, skip: values.skip });
    return benchFull({ ...words, seed: whole('seed', 0), seconds: seconds(), corpus, json, keep });
  },
  board: () => benchBoard(whole('events', 10_000), seconds(), json),
  cluster: () => benchCluster(only(CLUSTER_PARTS), seconds(), whole('followers', 1), json),
  hostile: () => benchHostile({ seconds: seconds('60'), json }),
  costs: () => benchCosts({ snapshot, json }),
  agents: () => benchAgents(json),
  rivals: () =>
    benchRivals({
      snapshot,
      only: only(RIVALS),
      scale: whole('scale', 100),
      seed: whole('seed', 0),
      seconds: seconds(),
      json,
    }),
};

function refuse(reason: string): void {
  process.stderr.write(`${reason}\n${HELP}`);
  process.exitCode = EXIT_USAGE;
}

cleanUpOnSignals();
const [name = 'full'] = positionals;
const bench = BENCHES[name];
if (values.help) process.stdout.write(HELP);
else if (bench === undefined) refuse(`${name} is not a benchmark`);
else {
  try {
    await bench();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse(error.message);
  }
}
