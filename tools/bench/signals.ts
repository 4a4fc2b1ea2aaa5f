import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CAPITALS } from '../../contract/schemas/trials/signals.ts';
import { mind } from '../../index-server/signals/mind.ts';
import { openSignals, type SignalImage } from '../../index-server/signals/signal-image.ts';
import { trends } from '../../index-server/signals/trends.ts';
import { type MappedFile, mapFile } from '../../index-server/snapshot/mapped-file.ts';
import { writeSignalFiles } from '../../pipeline/publish/serving/signal-files.ts';
import { Database } from '../../pipeline/store/database.ts';
import { SERVING_DIR } from '../../snapshot/format/serving.ts';
import { readImageTable } from '../../snapshot/image/arrow-reader.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { type Latency, measureCalls } from './latency.ts';
import { scratchFolder } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const SIGNALS_HELP = `       npm run bench -- signals [--items 1000000] [--seed 1] [--json]

Makes a table of --items synthetic items over 150 days, has the publish stage write its serving files, opens them as the
index server does, and measures mind and trends over them; then runs results-gap.
`;

const LAST_DAY = 20_727;
const SPREAD_DAYS = 150;
const MIND_DAYS = 120;
const ROUNDS = 200;
/** Words of the titles; word n stands in one item of about n + 1. */
const WORDS = ['health', 'trial', 'islet', 'tumour', 'funding', 'obesity', 'vaccine', 'heart', 'safety', 'leukaemia'];
const RARE_WORDS = 5000;

export interface SignalBenchOptions {
  items: number;
  seed: number;
  json: boolean;
}

interface Results {
  machine: ReturnType<typeof machine>;
  items: number;
  seed: number;
  writeSeconds: number;
  openMs: number;
  calls: Record<string, Latency>;
}

export async function benchSignals({ items, seed, json }: SignalBenchOptions): Promise<void> {
  await using folder = await scratchFolder('signals');
  const results = await measure(folder.path, items, seed);
  await writeResults(`signals-${items}-${seed}`, results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measure(root: string, items: number, seed: number): Promise<Results> {
  const outDir = join(root, SERVING_DIR);
  await mkdir(outDir);
  note(`making ${items} synthetic items`);
  await using database = await Database.open(join(root, 'work.duckdb'));
  await writeTable(database, root, items, seed);
  note('writing the serving files');
  const started = performance.now();
  await writeSignalFiles(database, root, outDir);
  const writeSeconds = (performance.now() - started) / 1000;
  const files: MappedFile[] = [];
  const opening = performance.now();
  const image = opened(outDir, files);
  const openMs = performance.now() - opening;
  note('measuring');
  const calls = measureSignals(image);
  for (const file of files) file.release();
  return { machine: machine(), items, seed, writeSeconds, openMs, calls };
}

function measureSignals(image: SignalImage): Record<string, Latency> {
  const readMind = (disease: string | undefined) => mind(image, { days: MIND_DAYS, lastDay: LAST_DAY, disease });
  const readTrends = (disease: string | undefined) => trends(image, { lastDay: LAST_DAY, disease, series: true });
  return {
    [`mind, ${MIND_DAYS} days`]: measureCalls([undefined], ROUNDS, readMind),
    [`mind, ${MIND_DAYS} days, a word of every item`]: measureCalls([WORDS[0]], ROUNDS / 4, readMind),
    [`mind, ${MIND_DAYS} days, a common word`]: measureCalls(WORDS.slice(1), ROUNDS / 4, readMind),
    [`mind, ${MIND_DAYS} days, two common words`]: measureCalls(['islet trial', 'heart safety'], ROUNDS / 4, readMind),
    [`mind, ${MIND_DAYS} days, a rare word`]: measureCalls(['rareword7'], ROUNDS, readMind),
    'trends, 30 days': measureCalls([undefined], ROUNDS, readTrends),
    'trends, 30 days, a common word': measureCalls(WORDS.slice(1), ROUNDS / 4, readTrends),
  };
}

/** Items drawn from a hash of their number and the seed, so that the same options give the same items. */
async function writeTable(database: Database, dir: string, items: number, seed: number): Promise<void> {
  const draw = (salt: string, below: number): string => `(hash(i, ${seed}, '${salt}') % ${below})::INTEGER`;
  const list = (values: readonly string[]): string => `[${values.map(sqlLiteral).join(', ')}]`;
  const words = WORDS.map((word, n) => `CASE WHEN ${draw(word, n + 1)} = 0 THEN ' ${word}' ELSE '' END`).join(' || ');
  const capitals = list(CAPITALS.map(({ id }) => id));
  const instant = `strftime(make_timestamp((${LAST_DAY} - ${draw('day', SPREAD_DAYS)})::BIGINT * 86400000000), '%Y-%m-%dT%H:%M:%S.000Z')`;
  await database.run(
    `COPY (SELECT lpad(i::VARCHAR, 16, '0') AS id, 'feed-' || ${draw('feed', 30)} AS source, 'Publisher' AS publisher,
       'en' AS "language", 'https://news.example/' || i AS url,
       'Item' || ${words} || ' rareword' || ${draw('rare', RARE_WORDS)} AS title,
       'A summary of some words about what was announced, by whom, and for how many people' AS summary,
       ${instant} AS published_at, ${instant} AS first_seen_at, 'published' AS date_basis,
       (${list(['news', 'funder', 'journal', 'preprint', 'regulator', 'registry'])})[${draw('category', 6)} + 1] AS category,
       'site-' || ${draw('site', 400)} || '.example' AS "domain",
       CASE WHEN ${draw('none', 4)} = 0 THEN NULL ELSE (${capitals})[${draw('capital', CAPITALS.length)} + 1] END AS capital,
       ['term'] AS capital_terms,
       (${list(['research', 'treatment', 'policy', 'funding'])})[${draw('class', 4)} + 1] AS lexicon_class,
       ['term'] AS class_terms
     FROM range(${items}) AS numbers(i)) TO ${sqlLiteral(join(dir, 'signals.parquet'))} (FORMAT parquet)`,
  );
}

function opened(dir: string, files: MappedFile[]): SignalImage {
  const image = openSignals((name) => {
    const file = mapFile(join(dir, name));
    files.push(file);
    return readImageTable(file.bytes, name);
  });
  if (image.fault !== null) throw image.fault;
  return image;
}

function table({ items, seed, machine: where, writeSeconds, openMs, calls }: Results): string {
  const lines = [
    `${items} items over ${SPREAD_DAYS} days, seed ${seed}, on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    `serving files written in ${number(writeSeconds)} s, opened in ${number(openMs)} ms`,
    '',
    '| signal | p50, ms | p99, ms | calls |',
    '|---|---|---|---|',
    ...Object.entries(calls).map(
      ([name, { p50Ms, p99Ms, count }]) => `| ${name} | ${number(p50Ms, 3)} | ${number(p99Ms, 3)} | ${count} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
