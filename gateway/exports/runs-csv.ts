import type { OperationOutput } from '../../contract/operation.ts';
import { getPipelineRuns } from '../../contract/operations/trials/pipeline.ts';
import type { FileColumn } from '../../server-kit/answer/csv.ts';
import { csvHead, csvRow } from '../../server-kit/answer/file-about.ts';
import { fileNameOf } from '../../server-kit/answer/file-name.ts';
import { OUTCOME_WORDS } from '../pages/snapshots/runs.ts';
import { aboutOfReads, csvHeaders } from './about-reads.ts';
import type { Taken } from './taken.ts';

type Run = OperationOutput<typeof getPipelineRuns>['runs'][number];

function column(
  [name, heading, meaning]: readonly [string, string, string],
  type: FileColumn<Run>['type'],
  cell: FileColumn<Run>['cell'],
): FileColumn<Run> {
  return { name, heading, meaning, type, cell };
}

function recordsRead(registry: string): FileColumn<Run>['cell'] {
  return ({ rows }) => rows?.registries.find((one) => one.registry === registry)?.read ?? null;
}

const COLUMNS: readonly FileColumn<Run>[] = [
  column(['run', 'Run', 'its id'], 'text', ({ run }) => run),
  column(['started_at', 'Started', 'in UTC'], 'text', ({ startedAt }) => startedAt),
  column(['ended_at', 'Ended', 'in UTC; empty: it stated no end'], 'text', ({ endedAt }) => endedAt),
  column(['seconds', 'Seconds', 'from start to end; empty: it stated no end'], 'number', ({ seconds }) => seconds),
  column(['command', 'Command', 'of the pipeline, with its words'], 'text', (run) =>
    [run.command, ...run.arguments].join(' '),
  ),
  column(['outcome', 'Outcome code', 'for programs'], 'text', ({ outcome }) => outcome),
  column(['outcome_words', 'Outcome', 'in words'], 'text', ({ outcome }) => OUTCOME_WORDS[outcome]),
  column(['version', 'Version', 'served after it; empty: none by it'], 'text', ({ served }) => served?.version ?? null),
  column(
    ['trials', 'Distinct trials', 'in its tables; empty: not finished'],
    'integer',
    ({ rows }) => rows?.trials ?? null,
  ),
  column(
    ['ctgov_records', 'Records of ClinicalTrials.gov', 'read; empty: no answer, or not finished; never to be summed'],
    'integer',
    recordsRead('clinicaltrials_gov'),
  ),
  column(
    ['isrctn_records', 'Records of ISRCTN', 'read; empty: no answer, or not finished; never to be summed'],
    'integer',
    recordsRead('isrctn'),
  ),
  column(
    ['checks_passed', 'Checks passed', 'of the publication gate'],
    'integer',
    ({ checks }) => checks?.passed ?? null,
  ),
  column(
    ['checks_accepted', 'Checks accepted', 'by the operator'],
    'integer',
    ({ checks }) => checks?.accepted ?? null,
  ),
  column(['checks_refused', 'Checks refused', 'of the gate'], 'integer', ({ checks }) => checks?.refused ?? null),
  column(['message', 'Message', 'of the program'], 'text', ({ message }) => message),
  column(['next', 'Next', 'what the operator does'], 'text', ({ next }) => next),
];

const PAGE_SIZE = 100;

/** The record is bounded, so that it is read whole. */
export const runsCsv: Taken = {
  id: 'runs-csv',
  async answer(request) {
    const { reads, applied, baseUrl } = request;
    const { header: by, ...given } = applied;
    const runs: Run[] = [];
    let olderLeftOut = false;
    for (let page = 1; ; page++) {
      const { data, meta } = await reads.read(getPipelineRuns, { ...given, page, pageSize: PAGE_SIZE });
      runs.push(...data.runs);
      ({ olderLeftOut } = data);
      if (meta.pagination?.hasMore !== true) break;
    }
    const query = new URLSearchParams(applied);
    const location = `/snapshots/runs.csv${query.size === 0 ? '' : `?${query}`}`;
    const about = await aboutOfReads(request, {
      title: 'Runs of the pipeline',
      rows: {
        count: runs.length,
        what: 'runs',
        each: olderLeftOut ? 'newest first; the record has older ones' : 'newest first',
      },
      address: `${baseUrl}${location}`,
    });
    const rows = runs.map((run) => csvRow(COLUMNS, run)).join('');
    return {
      body: csvHead(COLUMNS, about, by === 'names' ? 'names' : 'words') + rows,
      headers: csvHeaders(fileNameOf('runs', Object.values(given), about.snapshot, 'csv'), location),
    };
  },
};
