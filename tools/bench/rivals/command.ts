import { join } from 'node:path';
import { readCurrent, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { prepareCorpus } from '../full/corpus.ts';
import { measureRun, scratchFolder } from '../process.ts';
import { note, number, writeResults } from '../report.ts';
import { measureRivals, type RivalName, type RivalReport, type RivalsResults } from './rivals.ts';

export const RIVALS_HELP = `       npm run bench -- rivals [--snapshot DIR] [--scale 50000] [--seed 1] [--only postgres,sqlite] [--seconds 5] [--json]

Asks PostgreSQL and SQLite FTS5 what the index is asked, over the same corpus: a published snapshot, or a synthetic one of the
given number of studies. Answers are compared before they are timed, and each difference is reported.
`;

/** ISRCTN registrations for each ClinicalTrials.gov one, as in the registries of October 2026. */
const ISRCTN_SHARE = 29 / 600;
const MB = 2 ** 20;
const EXAMPLES_MAX = 5;

export interface RivalsCommand {
  /** A snapshot's directory; null for one that is made. */
  snapshot: string | null;
  scale: number;
  seed: number;
  only: RivalName[];
  seconds: number;
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

export function rivalsTable({ machine: where, ...results }: RivalsResults): string {
  return `${[
    `${results.trials} trials of snapshot ${results.snapshot}, on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| engine | loaded in, s | on disk, MB | answers that differ from ours |',
    '|---|---|---|---|',
    `| this index, in process | in the pipeline | ${number(results.bytesOnDisk / MB)} | |`,
    ...results.rivals.map(engineRow),
    '',
    '| question | engine | p50, ms | p99, ms | ours, same queries, p50, ms | times ours | ours over HTTP, p50, ms |',
    '|---|---|---|---|---|---|---|',
    ...results.rivals.flatMap(questionRows),
    '',
    ...results.rivals.map(({ name, how }) => `- ${name}: ${how}.`),
    '- Texts are folded for them as ours are. Ours gives the page as finished records, theirs as ids.',
    ...results.rivals.flatMap(({ name, works }) =>
      Object.entries(works).flatMap(([work, { differing }]) =>
        differing.slice(0, EXAMPLES_MAX).map((text) => `- ${name}, ${work}: answers differ: ${text}`),
      ),
    ),
    ...Object.entries(results.skipped).map(([name, why]) => `- ${name} is left out: ${why}.`),
  ].join('\n')}\n`;
}

function engineRow({ name, loadSeconds, bytesOnDisk, works }: RivalReport): string {
  const all = Object.values(works);
  const differing = all.reduce((sum, one) => sum + one.differing.length, 0);
  const asked = all.reduce((sum, one) => sum + one.asked, 0);
  return `| ${name} | ${number(loadSeconds)} | ${number(bytesOnDisk / MB)} | ${differing} of ${asked} |`;
}

function questionRows({ name, works }: RivalReport): string[] {
  return Object.entries(works).map(([work, { theirs, ours, overHttp }]) => {
    const times = theirs.p50Ms / ours.p50Ms;
    const figures = [theirs.p50Ms, theirs.p99Ms, ours.p50Ms].map((value) => number(value, 3));
    return `| ${[work, name, ...figures, number(times, times < 10 ? 1 : 0), number(overHttp?.p50Ms ?? null, 2)].join(' | ')} |`;
  });
}
