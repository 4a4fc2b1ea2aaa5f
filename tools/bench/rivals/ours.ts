import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TRIAL_STATUSES } from '../../../contract/vocabularies.ts';
import { mix } from '../../../index-server/search/counting/columns.ts';
import { coverage } from '../../../index-server/search/counting/coverage.ts';
import { documents } from '../../../index-server/search/documents.ts';
import { compileFilters } from '../../../index-server/search/filters.ts';
import { matchingRows, search } from '../../../index-server/search/matching.ts';
import { rowsOf } from '../../../index-server/search/row-set.ts';
import type { SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { SERVING_DIR } from '../../../snapshot/format/serving.ts';
import {
  type CoverageAnswer,
  countsDifference,
  PAGE_SIZE,
  type PageRow,
  type Rival,
  type SearchAnswer,
  type StatusAnswer,
  searchDifference,
  statusAnswer,
} from './answers.ts';
import { foldQuery } from './folding.ts';

/** The index itself, asked in process with the rivals' questions. */

const PAGE = { offset: 0, limit: PAGE_SIZE };

/** Total and page. The page is the finished JSON for a caller, which is more than a rival's three columns. */
function searchRecords(image: SnapshotImage, q: string): { total: number; page: Buffer } {
  const { total, rows } = search(image, compileFilters({ q }), PAGE);
  return { total, page: documents(image, rows, { detail: 'brief', eligibility: false }) };
}

function searchAnswer(image: SnapshotImage, q: string): SearchAnswer {
  const { total, page } = searchRecords(image, q);
  const records = JSON.parse(page.toString('utf8')) as { canonicalId: string; title: string | null; status: string }[];
  return {
    total,
    page: records.map(({ canonicalId, title, status }): PageRow => ({ id: canonicalId, title, status })),
  };
}

function coverageAnswer(image: SnapshotImage, q: string): CoverageAnswer {
  const { distinct, registrations, inBoth } = coverage(image, matchingRows(image, compileFilters({ q })));
  return { distinct, ctgov: registrations.clinicaltrials_gov, isrctn: registrations.isrctn, both: inBoth };
}

function statusMix(image: SnapshotImage, q: string): StatusAnswer {
  const rows = rowsOf(matchingRows(image, compileFilters({ q })));
  return statusAnswer(
    mix(rows, image.columns.status, TRIAL_STATUSES).map(({ value, trials }) => ({ status: value, trials })),
  );
}

/** One kind of question, how each side is asked it, and what differs between the answers. */
export interface Question {
  ours(image: SnapshotImage, q: string): unknown;
  /** A rival's answer. It gets the folded query; ours folds the query itself. */
  theirs(rival: Rival, q: string): unknown;
  difference(image: SnapshotImage, q: string, answer: unknown): string | null;
}

export const QUESTIONS: Record<'search' | 'coverage' | 'statuses', Question> = {
  search: {
    ours: searchRecords,
    theirs: (rival, q) => rival.search(foldQuery(q)),
    difference: (image, q, answer) => searchDifference(searchAnswer(image, q), answer as SearchAnswer),
  },
  coverage: {
    ours: coverageAnswer,
    theirs: (rival, q) => rival.coverage(foldQuery(q)),
    difference: (image, q, answer) => countsDifference(coverageAnswer(image, q), answer as CoverageAnswer),
  },
  statuses: {
    ours: statusMix,
    theirs: (rival, q) => rival.statuses(foldQuery(q)),
    difference: (image, q, answer) => countsDifference(statusMix(image, q), answer as StatusAnswer),
  },
};

/** Bytes of the serving image: postings and, beside what rivals hold, the finished record of every trial. */
export function servingBytes(snapshotDir: string): number {
  const dir = join(snapshotDir, SERVING_DIR);
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}
