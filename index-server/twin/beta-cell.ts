import type { Logger } from 'pino';
import { z } from 'zod';
import { canonicalJson } from '../../contract/canonical-json.ts';
import type { BETA_CELL_OPERATIONS } from '../../contract/operations/research/twin-beta-cell.ts';
import {
  type BetaCellDataset,
  type BetaCellGuide,
  type BetaCellInput,
  type BetaCellResult,
  betaCellInputSchema,
  type CustomDataset,
} from '../../contract/schemas/research/beta-cell.ts';
import { BETA_CELL_MODULE_VERSION } from '../../contract/version.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { runBetaCell } from '../../twin/beta-cell/run.ts';
import type { SnapshotHolder, SnapshotLease } from '../snapshot/snapshot-holder.ts';
import type { KeyedReads } from '../store/keyed-store.ts';
import { CLVER_CITATION, clverDataset } from './clver.ts';
import { BETA_CELL_GUIDE, BETA_CELL_TEXTS } from './texts.ts';

interface TwinServices {
  holder: Pick<SnapshotHolder, 'acquire'>;
  log: Logger;
  store: KeyedReads;
}

const UNREADABLE = 'the files of the snapshot cannot be read at present';
const { $schema: _, ...INPUT_SCHEMA } = z.toJSONSchema(betaCellInputSchema, { io: 'input' });
/** Fields of the built-in dataset where it is not available. */
const NO_DATASET = {
  kind: null,
  synthetic: null,
  population: null,
  assay: null,
  reportedUnit: null,
  statistic: null,
  arms: null,
  registration: null,
  snapshot: null,
  checksum: null,
};

export const betaCellHandlers: Handlers<typeof BETA_CELL_OPERATIONS, TwinServices> = {
  'beta-cell': async (_input, _context, { holder, store, log }) => {
    using lease = holder.acquire();
    const { value, reason } = await clverDataset(store, lease).catch((error: unknown) => {
      log.error({ err: error }, 'the record of the beta-cell dataset cannot be read');
      return { value: null, reason: UNREADABLE };
    });
    const { limits, limitsOfClver } = BETA_CELL_TEXTS;
    const fixed = { id: 'clver', citation: CLVER_CITATION } as const;
    const dataset: BetaCellGuide['dataset'] =
      value === null
        ? { ...fixed, ...NO_DATASET, state: 'not-available', reason }
        : { ...value, ...fixed, state: 'available', reason: null };
    const ofDataset = value === null ? [...limits, ...limitsOfClver] : limitsOf(value);
    return {
      data: { ...BETA_CELL_GUIDE, limits: ofDataset, dataset, inputSchema: INPUT_SCHEMA },
      meta: metaOf(lease),
    };
  },

  'beta-cell-run': async ({ body }, _context, { holder, store }, fail) => {
    if (body.customDataset !== undefined) {
      const custom = controlFirst(body.customDataset);
      return { data: resultOf({ ...body, customDataset: custom }, ofCustom(custom)), meta: metaOf(null) };
    }
    using lease = holder.acquire();
    const { value, reason } = await clverDataset(store, lease).catch((cause: unknown) =>
      // Files that cannot be read now may be read again.
      fail('DATASET_UNAVAILABLE', { message: unavailable(UNREADABLE), retryable: true, cause }),
    );
    const dataset = value ?? fail('DATASET_UNAVAILABLE', { message: unavailable(reason ?? UNREADABLE) });
    return { data: resultOf(body, dataset), meta: metaOf(lease) };
  },
};

function unavailable(reason: string): string {
  return `The dataset clver is not available: ${reason}. A custom dataset can still be run.`;
}

/** Limits of a run on this dataset. */
function limitsOf({ id, synthetic, registration }: BetaCellDataset): string[] {
  const { limits, limitsOfClver, limitOfSynthetic } = BETA_CELL_TEXTS;
  const own = id === 'clver' && registration !== null ? limitsOfClver : [];
  return [...(synthetic ? [limitOfSynthetic] : []), ...limits, ...own];
}

/** The order of the arms has no meaning, so it must not change the result. */
function controlFirst(dataset: CustomDataset): CustomDataset {
  const armOf = (id: 'control' | 'comparator') => dataset.arms.find((arm) => arm.id === id)!;
  return { ...dataset, arms: [armOf('control'), armOf('comparator')] };
}

function ofCustom(dataset: CustomDataset): BetaCellDataset {
  const checksum = `sha256:${sha256(canonicalJson(dataset))}`;
  return { ...dataset, synthetic: dataset.kind === 'synthetic', registration: null, snapshot: null, checksum };
}

function resultOf(input: BetaCellInput, dataset: BetaCellDataset): BetaCellResult {
  const outcome = runBetaCell(input, dataset);
  const { customDataset: _, ...parameters } = input;
  const { guide, doesNotSay } = BETA_CELL_TEXTS;
  return {
    input: parameters,
    dataset,
    ...outcome,
    limits: limitsOf(dataset),
    rules: guide.rules,
    doesNotSay,
    replay: {
      module: 'beta-cell',
      version: BETA_CELL_MODULE_VERSION,
      method: 'POST',
      path: '/api/v1/twin/beta-cell',
      input,
      inputSha256: sha256(canonicalJson(input)),
      datasetChecksum: dataset.checksum,
      snapshot: dataset.snapshot,
      resultSha256: sha256(canonicalJson(outcome)),
    },
  };
}

function metaOf(lease: SnapshotLease | null): Record<string, unknown> {
  const snapshot =
    lease === null ? {} : { snapshot: lease.manifest.version, provenance: { corpus: lease.manifest.corpus } };
  return { ...snapshot, honesty: BETA_CELL_TEXTS.honesty };
}
