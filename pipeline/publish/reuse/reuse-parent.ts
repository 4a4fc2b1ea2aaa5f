import {
  COMMON_TERM_ROWS_KEY,
  MAKER_KEY,
  SERVING_IMAGE_VERSION,
  TERMS_FILE,
} from '../../../snapshot-format/serving.ts';
import { type FindReused, NotReusable, type ParentSnapshot } from '../serving/reused.ts';
import { filesAhead, filesWhenAsked } from './parent-files.ts';
import { reusedGap } from './parent-gap.ts';
import { inImage, ParentImage } from './parent-image.ts';
import { copyParentRows, ParentDocuments, parentIds, parentTerms } from './parent-parts.ts';
import { findUnchanged } from './unchanged-trials.ts';

/** What the image is made with. */
interface Making {
  snapshotDir: string;
  maker: string;
  commonTermRows: number;
  /** Largest share of new or changed trials; above it the image is made whole. */
  mostChanged: number;
  /** From this many trials on, a worker reads the parent's documents. */
  workerFromTrials: number;
}

/** What a worker needs to reuse the terms. */
export interface ReusedTermsData {
  parent: ParentSnapshot;
  runs: readonly { from: number; to: number; length: number }[];
  rowMap: Int32Array;
}

const TERM_WORKER = new URL('reuse-term-worker.ts', import.meta.url);

/**
 * Reuses the image of the parent for unchanged trials: their documents, columns, ids, sequences and postings are
 * copied, with rows and terms renumbered.
 * @throws NotReusable when the parent's image was made by other code, with other topics or with other common terms
 */
export function reuseOf(parent: ParentSnapshot, making: Making): FindReused {
  const image = new ParentImage(parent);
  refuseOtherMaker(parent, image, making);
  return async (database, trials) => {
    // The worker reads the first files while the database finds the unchanged trials.
    const files = trials < making.workerFromTrials ? filesWhenAsked(parent) : filesAhead(parent);
    try {
      const unchanged = await findUnchanged(database, image, { parent, trials, mostChanged: making.mostChanged });
      const rows = { ...unchanged, image };
      const documents = new ParentDocuments(files);
      const { dir, imageVersion, files: sums } = parent;
      const data: ReusedTermsData = {
        parent: { dir, imageVersion, files: sums },
        runs: rows.runs,
        rowMap: rows.rowMap,
      };
      return {
        runs: rows.runs,
        copyDocuments: (run, into) => documents.copy(run, into),
        copyRows: (into, sponsors) => copyParentRows(rows, into, sponsors),
        ids: () => parentIds(rows),
        gap: () => reusedGap(database, making.snapshotDir, rows),
        terms: parentTerms(rows),
        termWorker: { program: TERM_WORKER, data },
        [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
      };
    } catch (error) {
      await files[Symbol.asyncDispose]();
      throw error;
    }
  };
}

function refuseOtherMaker(parent: ParentSnapshot, image: ParentImage, { maker, commonTermRows }: Making): void {
  if (parent.imageVersion !== SERVING_IMAGE_VERSION) {
    throw new NotReusable(`the parent's image has version ${parent.imageVersion}`);
  }
  const { metadata } = image.table(inImage(TERMS_FILE)).schema;
  if (metadata.get(MAKER_KEY) !== maker || metadata.get(COMMON_TERM_ROWS_KEY) !== String(commonTermRows)) {
    throw new NotReusable('the parent was made by other code, with other topics or with other common terms');
  }
}
