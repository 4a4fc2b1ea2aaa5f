import type { RECEIPT_OPERATIONS_OF_INDEX } from '../../contract/operations/trials/receipts.ts';
import { RECEIPT_IDS_SHOWN } from '../../contract/receipts.ts';
import type { ReceiptCheck } from '../../contract/schemas/trials/receipt.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import { type AskableReceipt, claimOf, readAskable } from '../../snapshot/format/receipt-query.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { isReadable, type KnownSnapshot, type RemovedSnapshot } from '../../snapshot/format/versions/version-list.ts';
import { trialMeta } from '../meta.ts';
import { type CountedSet, countedSet, type SetOfTrials, setDifference } from '../receipts/id-sums.ts';
import type { FilterQuery } from '../search/filters.ts';
import { matchingRows } from '../search/matching.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { filtersOf } from './answer.ts';
import { reading } from './snapshots.ts';

type OnItsSnapshot = ReceiptCheck['onItsSnapshot'];
type Between = ReceiptCheck['between'];
type FailCheck = Fail<'INVALID_PARAM' | 'TRIALS_UNAVAILABLE'>;

/** What a query found on one snapshot, or why it could not be asked of it; `isFault`: the query itself is refused. */
type Run = { found: CountedSet; set: SetOfTrials } | { why: string; isFault: boolean };

/** A snapshot that is open. */
interface Side {
  image: SnapshotImage;
  manifest: Manifest;
}

const NOT_RUN = { count: null, sum: null } as const;
const NO_LABELS =
  'its filter modality rests on labels that would have to be inferred for every trial of a snapshot that is not served';

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
  const claim = readAskable(receipt);
  if ('fault' in claim) return refuseParameter('receipt', claim.fault, fail);
  const run = await runOn(lease, claim, services);
  const known = await snapshotOf(claim, services, fail);
  const { own, between } = await ownRun(claim, known, { lease, run }, services, fail);
  if ('why' in run && run.isFault && (own.state === 'not-run' || own.state === 'unknown')) unaskable(run.why, fail);
  const { version, identity = null } = lease.manifest;
  const onCurrent = { version, identity, ...outcomeOf(run, claim) };
  if (!('why' in run) && onCurrent.state === 'differs' && known?.version !== version) {
    onCurrent.why = differsOnCurrent([claim, run.found], [known?.manifest ?? null, lease.manifest], between);
  }
  return { receipt, claim: claimOf(claim), onItsSnapshot: own, onCurrent, between };
}

/** A query that no snapshot can be asked is a fault of the receipt. */
function unaskable(why: string, fail: Fail<'INVALID_PARAM'>): never {
  const expected = `a query that can be asked: ${why}`;
  return fail('INVALID_PARAM', {
    ...{ message: `The parameter receipt is not usable: expected ${expected}`, parameter: 'receipt', expected },
    issues: [{ path: 'receipt', message: `expected ${expected}` }],
  });
}

function outcomeOf(run: Run, claim: AskableReceipt) {
  if ('why' in run) return { state: 'not-run' as const, ...NOT_RUN, why: run.why };
  const { count, sum } = run.found;
  const isEqual = count === claim.count && sum === claim.sum;
  if (isEqual) return { state: 'reproduced' as const, count, sum, why: null };
  return { state: 'differs' as const, count, sum, why: differsOnItsSnapshot(claim, run.found) };
}

/** Asks the query of a snapshot as the operations do, with the same refusals. */
async function runOn(side: Side, { values, vocabulary }: AskableReceipt, { modalities }: IndexServices): Promise<Run> {
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
    const { compiled } = await filtersOf(side, values as unknown as FilterQuery, modalities, refuse);
    const rows = matchingRows(image, compiled);
    const found = await countedSet(image, rows);
    if (found === null) return { why: 'its image does not hold the id of every trial', isFault: false };
    return { found, set: { image, rows } };
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_PARAM') return { why: error.message, isFault: true };
    throw error;
  }
}

/** The receipt on its own snapshot, and what came and went from there to the served one. */
async function ownRun(
  claim: AskableReceipt,
  known: KnownSnapshot | RemovedSnapshot | null,
  served: { lease: Side; run: Run },
  services: IndexServices,
  fail: FailCheck,
): Promise<{ own: OnItsSnapshot; between: Between }> {
  if (known === null) {
    const why = `no snapshot ${claim.version} is held here or was removed here`;
    const own = { state: 'unknown', version: claim.version, identity: null, ...NOT_RUN, why, kept: null } as const;
    return { own, between: null };
  }
  const { version, manifest } = known;
  const stated = { version, identity: manifest.identity, kept: await keptOf(known, services, fail) };
  const without = (state: 'not-run' | 'gone', why: string) => {
    return { own: { ...stated, state, ...NOT_RUN, why }, between: null };
  };
  const distrust = await reading(services.holder.trust.distrusts(manifest), 'The log of publications', fail);
  if (distrust !== null)
    return without('not-run', `nothing that is trusted here vouches for the snapshot: ${distrust}`);
  if (known.state === 'removed') return without('gone', 'the snapshot was removed; what its manifest says is in kept');
  if (version === served.lease.manifest.version) {
    const between = 'why' in served.run ? null : { came: { total: 0, ids: [] }, went: { total: 0, ids: [] } };
    return { own: { ...stated, ...outcomeOf(served.run, claim) }, between };
  }
  if (claim.vocabulary !== null) return without('not-run', NO_LABELS);
  using lease = await reading(services.holder.acquireVersion(known), `The version ${version}`, fail);
  const run = await runOn(lease, claim, services);
  const between =
    'why' in run || 'why' in served.run ? null : await setDifference(run.set, served.run.set, RECEIPT_IDS_SHOWN);
  return { own: { ...stated, ...outcomeOf(run, claim) }, between };
}

/** The snapshot that a receipt names, held or removed; null where there is none of this name and identity. */
async function snapshotOf(
  { version, identity }: AskableReceipt,
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

/** A snapshot does not change, so that the receipt is not what this service says of it. */
function differsOnItsSnapshot(said: CountedSet, found: CountedSet): string {
  return `${counts(said, found)}. A snapshot does not change: the receipt was not written by this service, or by a version of it that read the query otherwise`;
}

/** What lies between two snapshots; `before` is null where nothing is known of the earlier one. */
function differsOnCurrent(
  [said, found]: [said: CountedSet, found: CountedSet],
  [before, after]: [before: Manifest | null, after: Manifest],
  moved: { came: { total: number }; went: { total: number } } | null,
): string {
  const ids = moved === null ? [] : [`${moved.came.total} ids came and ${moved.went.total} went`];
  return [
    counts(said, found),
    ...ids,
    ...(before === null ? [UNKNOWN] : [dataOf(before, after), rulesOf(before, after)]),
  ].join('; ');
}

const UNKNOWN = 'its snapshot is not known here, so that it cannot be told what changed';

function counts(said: CountedSet, found: CountedSet): string {
  if (said.count !== found.count) return `it says ${said.count} trials, and ${found.count} are found`;
  return `as many trials are found, ${said.count}, but not the same ones`;
}

/** Snapshots are made of what the registries said up to a day; statuses and windows count to it. */
function dataOf(before: Manifest, after: Manifest): string {
  const days = before.asOf === after.asOf ? `both as of ${after.asOf}` : `as of ${before.asOf} then, ${after.asOf} now`;
  const isSame = before.tables.registrations?.root === after.tables.registrations?.root;
  return `registry data: ${isSame ? 'the same records' : 'other records'}, ${days}`;
}

function rulesOf(before: Manifest, after: Manifest): string {
  const hashes = new Map(before.bound.rules.map(({ name, sha256 }) => [name, sha256]));
  const other = after.bound.rules.filter(({ name, sha256 }) => hashes.get(name) !== sha256).map(({ name }) => name);
  const gone = before.bound.rules
    .map(({ name }) => name)
    .filter((name) => !after.bound.rules.some((one) => one.name === name));
  const changed = [...other, ...gone];
  const rules =
    changed.length === 0 ? 'rules and terminology: the same' : `rules or terminology: changed in ${changed.join(', ')}`;
  const [was, is] = [before.bound.code, after.bound.code];
  return was.version === is.version && was.commit === is.commit
    ? rules
    : `${rules}; made by another version of the program`;
}
