import type { RECEIPT_OPERATIONS_OF_INDEX } from '../../contract/operations/trials/receipts.ts';
import { RECEIPT_IDS_SHOWN } from '../../contract/receipts.ts';
import type { ReceiptCheck } from '../../contract/schemas/trials/receipt.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import { claimOf } from '../../snapshot/format/receipt-claim.ts';
import { type AskableReceipt, readAskable } from '../../snapshot/format/receipt-parameters.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { isReadable, type KnownSnapshot, type RemovedSnapshot } from '../../snapshot/format/versions/version-list.ts';
import { trialMeta } from '../meta.ts';
import { type CountedSet, countedSet } from '../receipts/id-sums.ts';
import { type SetOfTrials, setDifference } from '../receipts/set-difference.ts';
import { differsOnCurrent, differsOnItsSnapshot } from '../receipts/why-differs.ts';
import type { FilterQuery } from '../search/filters.ts';
import { matchingRows } from '../search/matching.ts';
import type { IndexServices } from '../services.ts';
import { EarlierImageUnreadable } from '../snapshot/earlier-image.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { filtersOf } from './answer.ts';
import { reading } from './snapshots.ts';

/** A receipt whose query can be asked. */
interface Claim extends AskableReceipt {
  filters: FilterQuery;
}

/** Reads a receipt as strictly as the operation reads its query. A damaged or invented one is INVALID_PARAM, which says what is wrong. */
function readClaim(text: string, fail: Fail<'INVALID_PARAM'>): Claim {
  const receipt = readAskable(text);
  if ('fault' in receipt) return refuseParameter('receipt', receipt.fault, fail);
  return { ...receipt, filters: receipt.values as unknown as FilterQuery };
}

type OnItsSnapshot = ReceiptCheck['onItsSnapshot'];
type Between = ReceiptCheck['between'];
type FailCheck = Fail<'INVALID_PARAM' | 'TRIALS_UNAVAILABLE'>;

/** What a query found on one snapshot, or why it could not be asked of it. */
type Run = Asked | NotAsked;
/** `isFault`: the query itself is refused. */
type NotAsked = { why: string; isFault: boolean };
type Asked = { found: CountedSet; set: SetOfTrials };

/** A snapshot that is open. */
interface Side {
  image: SnapshotImage;
  manifest: Manifest;
}

const NOT_RUN = { count: null, sum: null } as const;
const NO_LABELS =
  'its filter modality rests on labels that would have to be inferred for every trial of a snapshot that is not served';
const RETRY_SECONDS = 2;

export const receiptHandlers: Handlers<typeof RECEIPT_OPERATIONS_OF_INDEX, IndexServices> = {
  receipt: async ({ params }, context, services, fail) => {
    using lease = services.holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    return {
      data: await receiptCheck(params.receipt, lease, services, fail),
      meta: trialMeta(lease.manifest, services.sources, { ...context, applied: {} }, false),
    };
  },
};

/** Runs a receipt on its own snapshot and on the served one. The lease must be held until it resolves. */
async function receiptCheck(
  receipt: string,
  lease: Side,
  services: IndexServices,
  fail: FailCheck,
): Promise<ReceiptCheck> {
  const claim = readClaim(receipt, fail);
  const run = await runOn(lease, claim, services);
  const { own, between, manifest } = await ownRun(claim, { lease, run }, services, fail);
  if ('why' in run && run.isFault && (own.state === 'not-run' || own.state === 'unknown')) unaskable(run.why, fail);
  const { version, identity = null } = lease.manifest;
  return {
    receipt,
    claim: claimOf(claim),
    onItsSnapshot: own,
    onCurrent: { version, identity, ...currentOutcome(run, claim, [manifest, lease.manifest], between) },
    between,
  };
}

/** A query that no snapshot can be asked is a fault of the receipt. */
function unaskable(why: string, fail: Fail<'INVALID_PARAM'>): never {
  const expected = `a query that can be asked: ${why}`;
  return fail('INVALID_PARAM', {
    ...{ message: `The parameter receipt is not usable: expected ${expected}`, parameter: 'receipt', expected },
    issues: [{ path: 'receipt', message: `expected ${expected}` }],
  });
}

function outcomeOf(run: Run, claim: Claim) {
  if ('why' in run) return { state: 'not-run' as const, ...NOT_RUN, why: run.why };
  const { count, sum } = run.found;
  const isEqual = count === claim.count && sum === claim.sum;
  if (isEqual) return { state: 'reproduced' as const, count, sum, why: null };
  return { state: 'differs' as const, count, sum, why: differsOnItsSnapshot(claim, run.found) };
}

/** `before` is what is known of the receipt's own snapshot. */
function currentOutcome(
  run: Run,
  claim: Claim,
  [before, now]: [before: Manifest | null, now: Manifest],
  between: Between,
) {
  const outcome = outcomeOf(run, claim);
  if ('why' in run || outcome.state !== 'differs' || before?.version === now.version) return outcome;
  return { ...outcome, why: differsOnCurrent([claim, run.found], [before, now], between) };
}

/** Asks the query of a snapshot as the operations do, with the same refusals. */
async function runOn(side: Side, { filters, vocabulary }: Claim, { modalities }: IndexServices): Promise<Run> {
  if (vocabulary !== null && vocabulary !== modalities.vocabulary) {
    return {
      why: `it rests on labels by the vocabulary ${vocabulary}, and this service infers them by ${modalities.vocabulary}`,
      isFault: false,
    };
  }
  const refuse: Fail<'INVALID_PARAM'> = (code, details) => {
    throw new Problem(code, details);
  };
  const { image } = side;
  try {
    const { compiled } = await filtersOf(side, filters, modalities, refuse);
    const rows = matchingRows(image, compiled);
    const found = await countedSet(image, rows);
    if (found === null) return { why: 'its image does not hold the id of every trial', isFault: false };
    return { found, set: { image, rows } };
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_PARAM') return { why: error.message, isFault: true };
    throw error;
  }
}

interface Served {
  lease: Side;
  run: Run;
}

/** What became of the receipt on its own snapshot, and what came and went since. */
async function ownRun(
  claim: Claim,
  served: Served,
  services: IndexServices,
  fail: FailCheck,
): Promise<{ own: OnItsSnapshot; between: Between; manifest: Manifest | null }> {
  const known = await snapshotOf(claim, services, fail);
  if (known === null) {
    const why = `no snapshot ${claim.version} is held here or was removed here`;
    return {
      own: { state: 'unknown', version: claim.version, identity: null, ...NOT_RUN, why, kept: null },
      between: null,
      manifest: null,
    };
  }
  const { version, manifest } = known;
  const stated = { version, identity: manifest.identity, kept: await keptOf(known, services, fail) };
  const distrust = await reading(services.holder.trust.distrusts(manifest), 'The log of publications', fail);
  if (distrust !== null) {
    const why = `nothing that is trusted here vouches for the snapshot: ${distrust}`;
    return { own: { ...stated, state: 'not-run', ...NOT_RUN, why }, between: null, manifest };
  }
  if (known.state === 'removed') {
    const why = 'the snapshot was removed; what its manifest says is in kept';
    return { own: { state: 'gone', ...stated, ...NOT_RUN, why }, between: null, manifest };
  }
  if (version === served.lease.manifest.version) {
    const none = { total: 0, ids: [] };
    const between = 'why' in served.run ? null : { came: none, went: none };
    return { own: { ...stated, ...outcomeOf(served.run, claim) }, between, manifest };
  }
  if (claim.vocabulary !== null) {
    return { own: { ...stated, state: 'not-run', ...NOT_RUN, why: NO_LABELS }, between: null, manifest };
  }
  const { run, between } = await runOnEarlier(known, claim, served, services, fail);
  return { own: { ...stated, ...outcomeOf(run, claim) }, between, manifest };
}

/** One earlier image is open at a time, and requests wait for it in a short line. */
async function runOnEarlier(
  { dir, manifest, version }: KnownSnapshot,
  claim: Claim,
  served: Served,
  services: IndexServices,
  fail: FailCheck,
): Promise<{ run: Run; between: Between }> {
  const done = await services.earlierImage
    .use(dir, async (image) => {
      const run = await runOn({ image, manifest }, claim, services);
      if ('why' in run || 'why' in served.run) return { run, between: null };
      return { run, between: await setDifference(run.set, served.run.set, RECEIPT_IDS_SHOWN) };
    })
    .catch((error) => {
      if (!(error instanceof EarlierImageUnreadable)) throw error;
      return fail('TRIALS_UNAVAILABLE', { message: `The version ${version} could not be opened.`, cause: error });
    });
  if (done !== null) return done;
  const message = 'Too many requests wait to ask earlier versions; this one was not begun.';
  return fail('TRIALS_UNAVAILABLE', { message, retryAfterSeconds: RETRY_SECONDS });
}

/** The snapshot that a receipt names, held or removed; null where there is none of this name and identity. */
async function snapshotOf(
  { version, identity }: Claim,
  { versionList }: IndexServices,
  fail: Fail<'TRIALS_UNAVAILABLE'>,
): Promise<KnownSnapshot | RemovedSnapshot | null> {
  const what = `The version ${version}`;
  const found =
    (await reading(versionList.find(version), what, fail)) ??
    (await reading(versionList.findRemoved(version), what, fail));
  if (found === null || !isReadable(found)) return null;
  const isOf = identity === null || found.manifest.identity.startsWith(identity);
  return isOf ? found : null;
}

async function keptOf(
  known: KnownSnapshot | RemovedSnapshot,
  { holder }: IndexServices,
  fail: Fail<'TRIALS_UNAVAILABLE'>,
): Promise<NonNullable<OnItsSnapshot['kept']>> {
  const { version, manifest } = known;
  const { log } = await reading(holder.trust.log(), 'The log of publications', fail);
  const index = log.identities.indexOf(manifest.identity);
  return {
    createdAt: manifest.createdAt,
    asOf: manifest.asOf,
    removedAt: known.state === 'removed' ? known.removedAt : null,
    trials: manifest.counts.trials,
    logIndex: index < 0 ? null : index,
    details: `GET /api/v1/snapshots/${version}`,
  };
}
