import type { PROOF_OPERATIONS } from '../../contract/operations/trials/trial-proof.ts';
import type { ProofBundle } from '../../contract/schemas/trials/proof.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { LogMisfit } from '../../snapshot/format/versions/publication-log.ts';
import { earlierCheckpoint, NoProof } from '../../snapshot/sql/proof-bundle.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { readListItem, readTrial, resolveId, supersededRecord } from '../search/hints/held-trial.ts';
import type { IndexServices } from '../services.ts';
import type { ServedManifest } from '../snapshot/publication-trust.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { TooManyProofs } from '../store/proof-store.ts';
import { notHeld } from './not-held.ts';
import { DOES_NOT_FIT } from './snapshot-log.ts';
import { reading } from './snapshots.ts';

type FailProof = Fail<'TRIALS_UNAVAILABLE' | 'TRIAL_NOT_FOUND' | 'NOT_FOUND'>;

export const proofHandlers: Handlers<typeof PROOF_OPERATIONS, IndexServices> = {
  'trials-proof': async ({ params, query }, context, services, fail) => {
    const { snapshotsDir, holder, sources, proofs } = services;
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const canonicalId = await provenTrial(services, lease, params.id, fail);
    const { log } = await reading(holder.trust.log(), 'The log of publications', fail);
    const snapshot = { directory: image.directory, manifest };
    const { since: size, includeChanges: changes } = query;
    const made = async () => {
      const since = size === undefined ? null : await earlierCheckpoint(snapshotsDir, log, size);
      return proofs.bundle(snapshot, canonicalId, { log, since, changes });
    };
    const bundle = await made().catch((cause: unknown) => refuse(cause, fail));
    return {
      data: bundle,
      meta: {
        ...trialMeta(manifest, sources, context, false),
        ...originNotices(manifest.signed, bundle),
        links: linksOf(context.baseUrl),
      },
      validator: [
        snapshotValidator(manifest, sources, context.now),
        bundle.log?.checkpoint,
        ...(bundle.log?.keys ?? []),
        bundle.consistency?.checkpoint,
      ].join(' '),
    };
  },
};

/** What checks the answer, and what says how. */
function linksOf(baseUrl: string): Record<string, string> {
  return { verifier: `${baseUrl}/verify.mjs`, page: `${baseUrl}/verify`, documentation: `${baseUrl}/docs/proofs.md` };
}

/** The trial that has an id of its own or holds a registration of this number. */
async function provenTrial(
  services: IndexServices,
  lease: { image: SnapshotImage; manifest: ServedManifest },
  id: string,
  fail: FailProof,
): Promise<string> {
  const { image } = lease;
  const found = resolveId(image, id);
  const row = found?.rows[0];
  if (row === undefined) return fail('TRIAL_NOT_FOUND', await notHeld(services, lease, id));
  if (found?.standing === 'canonical' || found?.standing === 'registration')
    return readListItem(image, row).canonicalId;
  if (found?.standing === 'superseded') {
    const { canonicalId, supersededBy } = supersededRecord(image, row, id) ?? readTrial(image, row);
    const message = `${id} is superseded by ${supersededBy?.id ?? canonicalId} and is no registration of its trial any more; ask for the proof of ${canonicalId}, whose links show it.`;
    return fail('TRIAL_NOT_FOUND', { message });
  }
  if (found?.standing !== 'alias') return fail('TRIAL_NOT_FOUND', await notHeld(services, lease, id));
  const message = `${id} was merged into ${readListItem(image, row).canonicalId}; ask for the proof of that trial, whose row names its former ids.`;
  return fail('TRIAL_NOT_FOUND', { message });
}

/** Without a signature, a proof that holds says nothing of who published: the answer itself says so. */
function originNotices(isSigned: boolean, { log }: ProofBundle): { notices?: string[] } {
  if (isSigned) return {};
  const where =
    log === null
      ? 'The log of publications does not hold this snapshot, and nothing signs it'
      : 'Nothing signs this snapshot';
  return {
    notices: [
      `${where}: verification can show that these rows belong to the snapshot with this identity, not who published it nor when. Give the verifier an identity or a checkpoint that you have from elsewhere (--identity, --checkpoint).`,
    ],
  };
}

function refuse(cause: unknown, fail: FailProof): never {
  if (cause instanceof NoProof)
    return fail(cause.code === 'trial' ? 'TRIAL_NOT_FOUND' : 'NOT_FOUND', { message: cause.message });
  if (cause instanceof TooManyProofs)
    return fail('TRIALS_UNAVAILABLE', { message: 'Too many proofs are asked for at once; none was made.', cause });
  if (cause instanceof LogMisfit) return fail('TRIALS_UNAVAILABLE', { message: DOES_NOT_FIT, cause });
  return fail('TRIALS_UNAVAILABLE', { message: 'The rows of this trial could not be read or proven.', cause });
}
