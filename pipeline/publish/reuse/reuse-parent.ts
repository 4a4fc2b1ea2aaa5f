import {
  COMMON_TERM_ROWS_KEY,
  MAKER_KEY,
  SERVING_IMAGE_VERSION,
  TERMS_FILE,
} from '../../../snapshot/format/serving.ts';
import { type FindReused, NotReusable, type ParentSnapshot } from '../serving/reused.ts';
import { DocumentsBeside, type DocumentWorkerData, documentsInLine } from './parent-documents.ts';
import { reusedGap } from './parent-gap.ts';
import { inImage, ParentImage } from './parent-image.ts';
import { copyParentRows, parentIds, parentTerms } from './parent-parts.ts';
import { findUnchanged } from './unchanged-trials.ts';

/** What the image is made with. */
interface Making {
  snapshotDir: string;
  /** Exists when something is reused. */
  outDir: string;
  maker: string;
  commonTermRows: number;
  /** Largest share of new or changed trials; above it the image is made whole. */
  mostChanged: number;
  /** From this many trials on, workers read the parent's documents and write the new ones. */
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
export async function reuseOf(parent: ParentSnapshot, making: Making): Promise<FindReused> {
  const image = new ParentImage(parent);
  await refuseOtherMaker(parent, image, making);
  return async (database, trials) => {
    // Workers read the first files while the database finds the unchanged trials.
    const data: DocumentWorkerData = { parent, outDir: making.outDir };
    const documents = trials < making.workerFromTrials ? documentsInLine(data) : new DocumentsBeside(data);
    try {
      const unchanged = await findUnchanged(database, image, { parent, trials, mostChanged: making.mostChanged });
      const rows = { ...unchanged, image };
      const { dir, imageVersion, files: sums } = parent;
      const terms: ReusedTermsData = {
        parent: { dir, imageVersion, files: sums },
        runs: rows.runs,
        rowMap: rows.rowMap,
      };
      return {
        runs: rows.runs,
        documents,
        copyRows: (into, sponsors) => copyParentRows(rows, into, sponsors),
        ids: () => parentIds(rows),
        gap: () => reusedGap(database, making.snapshotDir, rows),
        terms: parentTerms(rows),
        termWorker: { program: TERM_WORKER, data: terms },
        [Symbol.asyncDispose]: () => documents[Symbol.asyncDispose](),
      };
    } catch (error) {
      await documents[Symbol.asyncDispose]();
      throw error;
    }
  };
}

async function refuseOtherMaker(
  parent: ParentSnapshot,
  image: ParentImage,
  { maker, commonTermRows }: Making,
): Promise<void> {
  if (parent.imageVersion !== SERVING_IMAGE_VERSION) {
    throw new NotReusable(`the parent's image has version ${parent.imageVersion}`);
  }
  const metadata = await image.metadata(inImage(TERMS_FILE));
  if (metadata.get(MAKER_KEY) !== maker || metadata.get(COMMON_TERM_ROWS_KEY) !== String(commonTermRows)) {
    throw new NotReusable('the parent was made by other code, with other topics or with other common terms');
  }
}
