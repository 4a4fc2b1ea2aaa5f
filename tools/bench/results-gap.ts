import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createBoardApp } from '../../board-server/app.ts';
import { Population } from '../../board-server/results-gap/population.ts';
import { insertCheck, insertReport } from '../../board-server/results-gap/report-store.ts';
import { Board } from '../../board-server/store/board.ts';
import type { Transaction } from '../../board-server/store/transaction.ts';
import { ResultsGapWriter } from '../../pipeline/publish/serving/results-gap-writer.ts';
import type { TrialParts } from '../../pipeline/publish/serving/trial-parts.ts';
import { RESULTS_GAP_FILE } from '../../snapshot/format/results-gap.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import { type Latency, latencyOf } from './latency.ts';
import { scratchFolder } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const RESULTS_GAP_HELP = `       npm run bench -- results-gap [--seconds 5] [--json]

Makes a population of 200,000 trials and a board with 20,000 reports, and measures the next trial and the counter.
`;

const TRIALS = 200_000;
const REPORTS = 20_000;
const AGENTS = 200;
const TOPICS = ['type-1-diabetes', 'oncology', 'pain-and-anesthesia'];
const NOW = new Date('2026-11-21T12:00:00.000Z');
const LAST_DAY = 20_000;

interface Results {
  machine: ReturnType<typeof machine>;
  trials: number;
  reports: number;
  openMs: number;
  firstNextMs: number;
  calls: Record<string, Latency>;
}

export async function benchResultsGap(seconds: number, json: boolean): Promise<void> {
  await using folder = await scratchFolder('gap');
  const results = await measure(folder.path, seconds);
  await writeResults('results-gap', results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measure(root: string, seconds: number): Promise<Results> {
  note(`making ${TRIALS} trials and ${REPORTS} reports`);
  writePopulation(root);
  const path = join(root, RESULTS_GAP_FILE);
  const opening = performance.now();
  const population = Population.fromBytes(await readFile(path), path, {
    version: '20261121T000000Z-00000000',
    identity: '0'.repeat(64),
    asOf: NOW.toISOString().slice(0, 10),
  });
  const openMs = performance.now() - opening;
  const now = () => NOW;
  await using board = await Board.open(join(root, 'board.sqlite'), { now, random: randomBytes });
  await board.write(storeReports);
  const services = { board, addressSalt: 'bench', independence: 'name' as const, population: { current: population } };
  const app = createBoardApp({ services, log: pino({ level: 'silent' }), now, baseUrl: 'http://127.0.0.1' });
  const ask = async (query: string): Promise<number> => {
    const started = performance.now();
    const answer = await app.fetch(new Request(`http://127.0.0.1/api/v1/${query}`));
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${query} answered ${answer.status}`);
    return performance.now() - started;
  };
  note('measuring');
  const firstNextMs = await ask('work/results-gap/next?agentName=first');
  const calls: Record<string, Latency> = {};
  for (const [name, query] of Object.entries({
    'next, fresh': 'work/results-gap/next?agentName=',
    'next, fresh, t1d': 'work/results-gap/next?disease=t1d&agentName=',
    'next, replicate': 'work/results-gap/next?mode=replicate&agentName=',
    counter: 'results-gap?ignored=',
  })) {
    calls[name] = await closedLoop((call) => ask(`${query}agent-${call % (2 * AGENTS)}`), seconds);
  }
  return { machine: machine(), trials: TRIALS, reports: REPORTS, openMs, firstNextMs, calls };
}

async function closedLoop(work: (call: number) => Promise<number>, seconds: number): Promise<Latency> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  for (let call = 0; performance.now() < deadline; call += 1) times.push(await work(call));
  return latencyOf(times);
}

const nctIdOf = (number: number): string => `NCT${String(number).padStart(8, '0')}`;

function writePopulation(dir: string): void {
  const writer = new ResultsGapWriter(new Map());
  for (let place = 0; place < TRIALS; place += 1) {
    const registration = {
      registry: 'clinicaltrials_gov',
      id: nctIdOf(place * 3),
      common: {
        title: `A synthetic trial of a synthetic intervention, number ${place}`,
        studyType: 'interventional',
        status: 'completed',
        resultsAvailable: false,
        dates: {
          primaryCompletion: { date: dayToIso(LAST_DAY - (place % 5000)), precision: 'day', type: null },
          completion: null,
        },
      },
    };
    const parts = { trial: { canonical_id: `trial_${place}` }, registrations: [registration] };
    writer.add(parts as unknown as TrialParts, topicsOf(place));
  }
  const topics = TOPICS.map((id) => ({ id, title: id, anyOf: [id], why: id, reviewed: '2026-11-24' }));
  writer.write(dir, topics, []);
}

/** By words, one trial in 50 has a topic; by concepts it is there too. */
function topicsOf(place: number): { byWords: string[]; byConcepts: string[] } {
  const topics = place % 50 === 0 ? [TOPICS[(place / 50) % TOPICS.length]!] : [];
  return { byWords: topics, byConcepts: topics };
}

async function storeReports(tx: Transaction): Promise<void> {
  for (let place = 0; place < REPORTS; place += 1) {
    const ts = tx.nextTime();
    const agent = `agent-${place % AGENTS}`;
    const number = await insertReport(tx, {
      id: tx.newId('rgr', ts),
      nct_id: nctIdOf(place * 9),
      outcome: 'searched_none',
      pmid: null,
      doi: null,
      publication_type: null,
      search_strategy: 'PubMed by the id.',
      note: null,
      agent_name: agent,
      agent_key: agent,
      agent_contact: null,
      content_hash: String(place),
      address_hash: String(place % 50),
      group_hash: String(place % 50),
      created_at: ts,
    });
    await insertCheck(tx, number, { verification: 'pubmed_none', papers: [], asked: [], checkedAt: ts });
  }
}

function table({ trials, reports, openMs, firstNextMs, calls }: Results): string {
  const rows = Object.entries(calls).map(
    ([name, { p50Ms, p99Ms, count }]) =>
      `${name.padEnd(20)} p50 ${number(p50Ms, 2)} ms, p99 ${number(p99Ms, 2)} ms, ${count} calls\n`,
  );
  return [
    `${trials} trials, ${reports} reports; population opened in ${number(openMs)} ms, first next ${number(firstNextMs)} ms\n`,
    ...rows,
  ].join('');
}
