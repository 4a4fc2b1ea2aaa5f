import type { MatchingRecord } from '../../contract/schemas/trials/matching.ts';
import type { FileAbout } from '../../server-kit/answer/file-about.ts';
import { Problem } from '../../server-kit/problem.ts';
import { Moved } from '../../server-kit/threads/worker-pool.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { filtersOf } from '../handlers/answer.ts';
import { orderOf } from '../handlers/search-order.ts';
import { sitesThereOf } from '../handlers/site-status.ts';
import { Modalities } from '../modality/modalities.ts';
import { clockAsked, resultsDueOf } from '../search/counting/results-clock.ts';
import { EMPTY, type RowSet } from '../search/row-set.ts';
import { search } from '../search/sort-order.ts';
import { openSnapshotImage, type SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { ExportAnswer, ExportJob, ExportRequest } from './export-thread.ts';
import { columnsAsked } from './trial-columns.ts';
import { type TrialFormat, trialFile } from './trial-file.ts';

/** Runs in the worker of export-thread.ts. */

const ONE_EACH: Record<TrialFormat, string> = {
  csv: 'one a row',
  jsonl: 'one a line',
  ris: 'a reference each',
};

interface OpenFile {
  /** Held until the file ends. */
  image: SnapshotImage;
  pieces: Iterator<Uint8Array<ArrayBuffer>, void>;
}

const files = new Map<number, OpenFile>();
let modalities: Modalities | null = null;

export async function serveExport(request: ExportRequest): Promise<ExportAnswer | Moved<ExportAnswer>> {
  if ('begin' in request) return begin(request.begin, request.id);
  if ('end' in request) {
    end(request.end);
    return { piece: null };
  }
  const file = files.get(request.next);
  if (file === undefined) throw new Error('the file was ended');
  const piece = file.pieces.next().value ?? null;
  return new Moved({ piece }, piece === null ? [] : [piece.buffer]);
}

async function begin(job: ExportJob, id: number): Promise<ExportAnswer> {
  const image = openSnapshotImage(job.directory);
  files.set(id, { image, pieces: [].values() });
  try {
    const { about, pieces } = await fileOf(image, job);
    files.set(id, { image, pieces });
    return { begun: about };
  } catch (fault) {
    end(id);
    if (!(fault instanceof Problem)) throw fault;
    const { cause: _cause, ...details } = fault.details;
    return { refused: { code: fault.code, details: { ...details, message: fault.message } } };
  }
}

function end(id: number): void {
  files.get(id)?.image.release();
  files.delete(id);
}

async function fileOf(
  image: SnapshotImage,
  { manifest, query, within, options, about }: ExportJob,
): Promise<{ about: FileAbout; pieces: OpenFile['pieces'] }> {
  const fail = (code: 'INVALID_PARAM', details = {}): never => {
    throw new Problem(code, details);
  };
  // The labels of all trials are inferred where requests are answered.
  const known = { rowsWith: async (): Promise<RowSet> => within ?? EMPTY } as unknown as Modalities;
  const asked = await filtersOf({ image, manifest }, query, known, fail);
  const sort = orderOf(query.sort, asked.parts, query.gapClock);
  const { rows } = search(image, asked.compiled, { offset: 0, limit: image.trials, sort });
  const matching = query.match === 'concepts' ? asked.meta(false).matching : undefined;
  const whole: FileAbout = {
    ...about,
    rows: { count: rows.length, what: 'distinct trials', each: ONE_EACH[options.format] },
    readAs: matching === undefined ? [] : readAsWords(matching),
  };
  const columns = columnsAsked(query);
  modalities ??= columns.modality ? new Modalities() : null;
  const pieces = trialFile(
    image,
    rows,
    whole,
    { ...options, columns },
    {
      eligibility: columns.eligibility,
      ...(columns.modality && { modality: (row: number) => modalities!.labelsOf(image, row) }),
      matchedBy: asked.groundsOf,
      siteStatus: sitesThereOf(image, query),
      ...(columns.overdue && { overdueOf: resultsDueOf(image, clockAsked(query, snapshotDay(manifest))) }),
    },
  );
  return { about: whole, pieces };
}

/** How a search by concepts read the words of its query, in sentences. */
function readAsWords({ because, topic, respelt, leftOut, strict }: MatchingRecord): string[] {
  const read = because.flatMap(({ words, heading, source, year }) =>
    heading === null ? [] : [`"${words}" is read as ${heading} (${source}, ${year})`],
  );
  return [
    ...read,
    ...(topic === undefined ? [] : [`The topic is read as ${topic.concepts.map(({ heading }) => heading).join(', ')}`]),
    ...respelt.map(({ from, to }) => `"${from}" is read as "${to}"`),
    ...(leftOut.length > 0 ? [`Not asked for: ${leftOut.join(', ')}`] : []),
    `By words alone the query finds ${strict.toLocaleString('en-GB')}`,
  ];
}
