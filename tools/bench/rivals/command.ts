import { join } from 'node:path';
import { readCurrent, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { prepareCorpus } from '../full/corpus.ts';
import { measureRun, scratchFolder } from '../process.ts';
import { note, number, writeResults } from '../report.ts';
import { measureRivals, type RivalReport, type RivalsOptions, type RivalsResults } from './rivals.ts';

export const RIVALS_HELP = `       npm run bench -- rivals [--snapshot DIR] [--scale 50000] [--seed 1] [--only postgres,sqlite,duckdb] [--seconds 5] [--json]

Asks PostgreSQL, SQLite FTS5 and DuckDB what the index is asked, over the same corpus: a published snapshot, or a synthetic
one of the given number of studies. Answers are compared before they are timed, and each difference is reported.
`;

/** ISRCTN registrations for each ClinicalTrials.gov one, as in the registries of October 2026. */
const ISRCTN_SHARE = 29 / 600;
const MB = 2 ** 20;

export interface RivalsCommand extends RivalsOptions {
  /** A snapshot's directory; null for one that is made. */
  snapshot: string | null;
  scale: number;
  seed: number;
  json: boolean;
}

export async function benchRivals({ snapshot, scale, seed, json, ...options }: RivalsCommand): Promise<void> {
  await using scratch = await scratchFolder('corpus');
  const dir = snapshot ?? (await makeSnapshot(scratch.path, scale, seed));
  const results = await measureRivals(dir, options);
  await writeResults(`rivals-${results.trials}`, results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : rivalsTable(results));
}

async function makeSnapshot(root: string, scale: number, seed: number): Promise<string> {
  const isrctn = Math.round(scale * ISRCTN_SHARE);
  const dump = await prepareCorpus(join(root, 'dump'), { seed, ctgov: scale, isrctn });
  const environment = { PATH: '', DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  const fetch = ['fetch', '--source', 'dump', '--ctgov', dump.ctgov, '--isrctn', dump.isrctn];
  for (const words of [fetch, ...['normalise', 'dedup', 'publish'].map((stage) => [stage, '--source', 'dump'])]) {
    note(words[0] as string);
    await measureRun(['pipeline/cli.ts', ...words], environment);
  }
  const version = await readCurrent(environment.SNAPSHOTS_DIR);
  if (version === null) throw new Error('the pipeline published nothing');
  return snapshotPath(environment.SNAPSHOTS_DIR, version);
}

export function rivalsTable(results: RivalsResults): string {
  const { machine: where, ours } = results;
  const lines = [
    `${results.trials} trials of snapshot ${results.snapshot}, on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| engine | loaded in, s | on disk, MB | answers that differ from ours |',
    '|---|---|---|---|',
    `| this index, in process | in the pipeline | ${number(ours.bytesOnDisk / MB)} | |`,
    ...results.rivals.map(engineRow),
    '',
    '| question | engine | p50, ms | p99, ms | ours, same queries, p50, ms | times ours | ours over HTTP, p50, ms |',
    '|---|---|---|---|---|---|---|',
    ...results.rivals.flatMap(({ name, works }) =>
      Object.entries(works).map(([work, one]) => {
        const http = ours.overHttp[work]?.p50Ms ?? null;
        return `| ${work} | ${name} | ${number(one.latency.p50Ms, 3)} | ${number(one.latency.p99Ms, 3)} | ${number(one.ours.p50Ms, 3)} | ${number(one.ratioP50, one.ratioP50 < 10 ? 1 : 0)} | ${number(http, 2)} |`;
      }),
    ),
    '',
    ...results.rivals.map(({ name, how, roundTripMs }) => {
      const trip = roundTripMs === null ? '' : ` (an empty one takes ${number(roundTripMs, 3)} ms)`;
      return `- ${name}: ${how}${trip}.`;
    }),
    `- Texts are folded for all of them beforehand, in ${number(results.foldSeconds)} s. Ours gives the page as finished records, theirs as id, title and status.`,
    ...results.rivals.flatMap(differences),
    ...Object.entries(results.skipped).map(([name, why]) => `- ${name} is left out: ${why}.`),
  ];
  return `${lines.join('\n')}\n`;
}

function engineRow({ name, loadSeconds, bytesOnDisk, works }: RivalReport): string {
  const sum = (of: 'differing' | 'asked'): number => Object.values(works).reduce((total, one) => total + one[of], 0);
  return `| ${name} | ${number(loadSeconds)} | ${number(bytesOnDisk / MB)} | ${sum('differing')} of ${sum('asked')} |`;
}

function differences({ name, works }: RivalReport): string[] {
  return Object.entries(works).flatMap(([work, { asked, of, differing, examples }]) => [
    ...(asked < of ? [`- ${name}, ${work}: asked ${asked} of ${of} different queries, being slow.`] : []),
    ...(differing > 0
      ? [
          `- ${name}, ${work}: ${differing} of ${asked} answers differ: ${examples.map(({ query, difference }) => `${query} (${difference})`).join('; ')}.`,
        ]
      : []),
  ]);
}
