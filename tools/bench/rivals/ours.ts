import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TRIAL_STATUSES } from '../../../contract/vocabularies.ts';
import { mix } from '../../../index-server/search/counting/columns.ts';
import { coverage } from '../../../index-server/search/counting/coverage.ts';
import { documents } from '../../../index-server/search/documents.ts';
import { compileFilters } from '../../../index-server/search/filters.ts';
import { matchingRows } from '../../../index-server/search/matching.ts';
import { rowsOf } from '../../../index-server/search/row-set.ts';
import { search } from '../../../index-server/search/sort-order.ts';
import type { SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { SERVING_DIR } from '../../../snapshot/format/serving.ts';
import { type Answer, countsByName, PAGE_SIZE, type Question } from './engine.ts';

/** The index itself, asked in this process. The page of a search is finished JSON, which is more than a rival's ids. */
export function askOurs(image: SnapshotImage, question: Question, q: string): unknown {
  const compiled = compileFilters({ q });
  switch (question) {
    case 'search': {
      const { total, rows } = search(image, compiled, { offset: 0, limit: PAGE_SIZE });
      return { total, page: documents(image, rows, { detail: 'brief', eligibility: false }) };
    }
    case 'coverage': {
      const { distinct, registrations, inBoth } = coverage(image, matchingRows(image, compiled));
      return { distinct, ctgov: registrations.clinicaltrials_gov, isrctn: registrations.isrctn, both: inBoth };
    }
    case 'statuses': {
      const found = mix(rowsOf(matchingRows(image, compiled)), image.columns.status, TRIAL_STATUSES);
      return countsByName(
        found.filter(({ trials }) => trials > 0).map(({ value, trials }) => ({ status: value, trials })),
      );
    }
  }
}

/** The same answer in the form in which the rivals give theirs. */
export function ourAnswer(image: SnapshotImage, question: Question, q: string): Answer {
  if (question !== 'search') return askOurs(image, question, q) as Answer;
  const { total, page } = askOurs(image, question, q) as { total: number; page: Buffer };
  const trials = JSON.parse(page.toString('utf8')) as { canonicalId: string }[];
  return { total, page: trials.map(({ canonicalId }) => canonicalId) };
}

/** Bytes of the serving image: postings and, beside what rivals hold, the finished record of every trial. */
export function servingBytes(snapshotDir: string): number {
  const dir = join(snapshotDir, SERVING_DIR);
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}
