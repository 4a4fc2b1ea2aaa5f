import { parseArgs } from 'node:util';
import { BARE_HELP, benchBare } from './against-bare.ts';
import { AGENTS_HELP, benchAgents } from './agents/command.ts';
import { BOARD_HELP, benchBoard } from './board.ts';
import { BOARD_SCALE_HELP, benchBoardScale } from './board-scale/command.ts';
import { benchCluster, CLUSTER_HELP, CLUSTER_PARTS, type ClusterPart } from './cluster.ts';
import { benchCosts, COSTS_HELP } from './costs.ts';
import { benchExports, EXPORTS_HELP } from './exports.ts';
import { benchFull } from './full/full.ts';
import { FULL_HELP, type FullWords, readFullWords } from './full/options.ts';
import { benchHistory, HISTORY_HELP } from './history.ts';
import { benchHostile, HOSTILE_HELP } from './hostile.ts';
import { benchIndex, INDEX_HELP } from './index.ts';
import { benchPages, PAGES_HELP, PARTS_OF_PAGES, partsOfPages } from './pages.ts';
import { cleanUpOnSignals } from './process.ts';
import { benchReceipts, RECEIPTS_HELP } from './receipts.ts';
import { benchResultsGap, RESULTS_GAP_HELP } from './results-gap.ts';
import { benchRivals, RIVALS_HELP, rivalNames } from './rivals/command.ts';
import { RIVALS } from './rivals/rivals.ts';
import { benchSignals, SIGNALS_HELP } from './signals.ts';
import { benchSpelling, SPELLING_HELP } from './spelling.ts';
import { benchTwin, TWIN_HELP } from './twin/twin.ts';

const HELP = `Usage:
${INDEX_HELP}
${FULL_HELP}
${BOARD_HELP}
${BOARD_SCALE_HELP}
${CLUSTER_HELP}
${SIGNALS_HELP}
${RESULTS_GAP_HELP}
${TWIN_HELP}
${PAGES_HELP}
${EXPORTS_HELP}
${COSTS_HELP}
${BARE_HELP}
${SPELLING_HELP}
${RECEIPTS_HELP}
${HOSTILE_HELP}

${HISTORY_HELP}
${AGENTS_HELP}
${RIVALS_HELP}
Results also go to bench-results/ as JSON. Figures of a shared machine are noisy; compare within one run.
`;
const EXIT_USAGE = 2;
/** Where it is not 5. */
const SECONDS_OF: Record<string, string | undefined> = { hostile: '60', pages: '2' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    events: { type: 'string', default: '1000000' },
    followers: { type: 'string', default: '10000' },
    items: { type: 'string', default: '1000000' },
    seconds: { type: 'string' },
    json: { type: 'boolean', default: false },
    zip: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    percent: { type: 'string', default: '100' },
    curve: { type: 'string', default: '1,4,16,64,100' },
    'load-minutes': { type: 'string', default: '10' },
    skip: { type: 'string', default: '' },
    corpus: { type: 'string' },
    snapshot: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    rest: { type: 'string', default: '0' },
    words: { type: 'string', default: '600000' },
    help: { type: 'boolean', default: false },
  },
});

function whole(text: string, min: number, name: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  process.stderr.write(`--${name} takes a whole number from ${min}\n${HELP}`);
  process.exit(EXIT_USAGE);
}

function fullWords(words: FullWords): ReturnType<typeof readFullWords> {
  try {
    return readFullWords(words);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.stderr.write(`${error.message}\n${HELP}`);
    process.exit(EXIT_USAGE);
  }
}

function clusterParts(only = CLUSTER_PARTS.join(',')): ClusterPart[] {
  const parts = CLUSTER_PARTS.filter((part) => only.split(',').includes(part));
  if (parts.length === only.split(',').length) return parts;
  process.stderr.write(`--only takes some of ${CLUSTER_PARTS.join(', ')}\n${HELP}`);
  process.exit(EXIT_USAGE);
}

cleanUpOnSignals();
const [what] = positionals;
const seconds = whole(values.seconds ?? SECONDS_OF[what ?? ''] ?? '5', 1, 'seconds');
if (values.help) process.stdout.write(HELP);
else if (what === 'board') await benchBoard(whole(values.events, 1, 'events'), seconds, values.json);
else if (what === 'board-scale') await benchBoardScale(whole(values.events, 10_000, 'events'), seconds, values.json);
else if (what === 'cluster') {
  await benchCluster(clusterParts(values.only), seconds, whole(values.followers, 1, 'followers'), values.json);
} else if (what === 'results-gap') await benchResultsGap(seconds, values.json);
else if (what === 'twin') await benchTwin(seconds, values.json);
else if (what === 'agents') await benchAgents(values.json);
else if (what === 'history') await benchHistory(whole(values.seed, 0, 'seed'), values.json);
else if (what === 'spelling') {
  await benchSpelling(whole(values.words, 1000, 'words'), whole(values.seed, 0, 'seed'), values.json);
} else if (what === 'receipts') {
  await benchReceipts(whole(values.words, 1000, 'words'), whole(values.seed, 0, 'seed'), values.json);
} else if (what === 'hostile') await benchHostile({ seconds, json: values.json });
else if (what === 'bare' && values.snapshot !== undefined) {
  const { snapshot, only, json } = values;
  const rounds = whole(values.rounds, 1, 'rounds');
  await benchBare({ snapshot, rounds, seconds, json, ...(only === undefined ? {} : { only }) });
} else if (what === 'pages') {
  const { snapshot, json } = values;
  const only = values.only === undefined ? undefined : partsOfPages(values.only);
  if (only === null) {
    process.stderr.write(`--only takes a comma-separated list of ${PARTS_OF_PAGES.join(', ')}\n${HELP}`);
    process.exit(EXIT_USAGE);
  }
  await benchPages({
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(only === undefined ? {} : { only }),
    ...{ seconds, json, rest: whole(values.rest, 0, 'rest') },
  });
} else if (what === 'exports') {
  const { snapshot, json } = values;
  await benchExports({ ...(snapshot === undefined ? {} : { snapshot }), json });
} else if (what === 'costs') {
  const { snapshot, json } = values;
  await benchCosts({ ...(snapshot === undefined ? {} : { snapshot }), json });
} else if (what === 'full') {
  const { json, keep, corpus = null } = values;
  const seed = whole(values.seed, 0, 'seed');
  await benchFull({ ...fullWords(values), seed, seconds, corpus, json, keep });
} else if (what === 'rivals') {
  const only = values.only === undefined ? undefined : rivalNames(values.only);
  if (only === null) {
    process.stderr.write(`--only takes a comma-separated list of ${RIVALS.join(', ')}\n${HELP}`);
    process.exit(EXIT_USAGE);
  }
  await benchRivals({
    ...(values.snapshot === undefined ? {} : { snapshot: values.snapshot }),
    ...(only === undefined ? {} : { only }),
    scale: whole(values.scale, 100, 'scale'),
    seed: whole(values.seed, 0, 'seed'),
    seconds,
    json: values.json,
  });
} else if (what === 'signals') {
  const items = whole(values.items, 1, 'items');
  await benchSignals({ items, seed: whole(values.seed, 0, 'seed'), json: values.json });
  await benchResultsGap(seconds, values.json);
} else if (what === undefined) {
  const { json, keep } = values;
  const form = values.zip ? 'zip' : 'ndjson';
  await benchIndex({
    scale: whole(values.scale, 100, 'scale'),
    seed: whole(values.seed, 0, 'seed'),
    form,
    seconds,
    json,
    keep,
  });
} else {
  process.stderr.write(`${what} is not a benchmark\n${HELP}`);
  process.exitCode = EXIT_USAGE;
}
