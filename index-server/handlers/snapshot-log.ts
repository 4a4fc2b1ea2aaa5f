import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { SNAPSHOT_LOG_OPERATIONS } from '../../contract/operations/trials/snapshot-log.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import {
  CHECKPOINT_FILE,
  CHECKPOINTS_DIR,
  consistencyIn,
  inclusionIn,
  keyWords,
  LogMisfit,
  logPath,
  type PublicationLog,
} from '../../snapshot/format/versions/publication-log.ts';
import { isGone } from '../../snapshot/format/versions/version-list.ts';
import { pageLinks, snapshotValidator, trialMeta } from '../meta.ts';
import { type RangedFile, sendRanged, UNTIL_ANOTHER } from '../ranged-file.ts';
import type { IndexServices } from '../services.ts';
import { reading, served } from './snapshots.ts';

const UNREADABLE = 'The log of publications';

export const snapshotLogHandlers: Handlers<typeof SNAPSHOT_LOG_OPERATIONS, IndexServices> = {
  'snapshot-log': async ({ query }, context, { holder, sources, versionList }, fail) => {
    const manifest = served(holder, fail);
    const { log, signers } = await reading(holder.trust.log(), UNREADABLE, fail);
    const { page, pageSize } = query;
    const { checkpoint, identities } = log;
    const first = (page - 1) * pageSize;
    const asked = identities.slice(first, first + pageSize);
    const find = await reading(versionList.finder(), 'The list of versions', fail);
    const entries = await reading(Promise.all(asked.map(find)), 'A version', fail);
    const paging = { page, pageSize, totalItems: identities.length, returned: asked.length };
    return {
      data: {
        origin: checkpoint?.origin ?? null,
        size: checkpoint?.size ?? 0,
        root: checkpoint?.root ?? null,
        signed: signers.length > 0,
        signedBy: signers.map(keyWords),
        checkpoint: checkpoint?.content ?? null,
        keys: log.keys.map(({ vkey }) => vkey),
        identities: entries.map((entry, place) => ({ index: first + place, ...entry })),
        ...(query.identity === undefined ? {} : { inclusion: inclusionOf(log, query.identity, fail) }),
        ...(query.from === undefined ? {} : { consistency: consistencyFrom(log, query.from, fail) }),
      },
      meta: { ...trialMeta(manifest, sources, context, false), ...pageLinks(context, paging) },
      validator: [
        snapshotValidator(manifest, sources, context.now),
        checkpoint?.content,
        signers.length,
        identities.length,
        ...log.keys.map(({ id }) => id),
        ...entries.map(({ version, state }) => `${version} ${state}`),
      ].join(' '),
    };
  },

  'snapshot-log-file': async ({ params }, context, { snapshotsDir }, fail) => {
    const isList = params.name !== CHECKPOINT_FILE;
    return sendRanged(await logFile(snapshotsDir, [params.name], isList, fail), context);
  },

  'snapshot-log-checkpoint': async ({ params }, context, { snapshotsDir }, fail) =>
    sendRanged(await logFile(snapshotsDir, [CHECKPOINTS_DIR, String(params.size)], false, fail), context),
};

type FailProof = Fail<'NOT_FOUND' | 'TRIALS_UNAVAILABLE'>;

export const DOES_NOT_FIT =
  'The identities of the log do not give the root that its checkpoint states, so nothing can be proven.';

/** A path that does not lead to the root of the checkpoint is withheld. */
function inclusionOf(log: PublicationLog, identity: string, fail: FailProof): { index: number; path: string[] } {
  const message = 'No snapshot of this identity is under the newest checkpoint of the log.';
  return fitting(() => inclusionIn(log, identity), fail) ?? fail('NOT_FOUND', { message });
}

function consistencyFrom(
  log: PublicationLog,
  from: number,
  fail: FailProof,
): { from: number; to: number; path: string[] } {
  const message = `The newest checkpoint of the log counts ${log.checkpoint?.size ?? 0} identities, fewer than ${from}: name the size of a checkpoint that you hold, or the log was rolled back.`;
  return fitting(() => consistencyIn(log, from), fail) ?? fail('NOT_FOUND', { message });
}

/** Fails where the log contradicts its checkpoint. */
function fitting<T>(prove: () => T, fail: Fail<'TRIALS_UNAVAILABLE'>): T {
  try {
    return prove();
  } catch (cause) {
    if (cause instanceof LogMisfit) return fail('TRIALS_UNAVAILABLE', { message: DOES_NOT_FIT, cause });
    throw cause;
  }
}

/** A file of the log as it is on disk; where nothing was logged or signed yet, a list is empty and a checkpoint is not there. */
async function logFile(
  snapshotsDir: string,
  names: readonly string[],
  isList: boolean,
  fail: Fail<'NOT_FOUND' | 'TRIALS_UNAVAILABLE'>,
): Promise<RangedFile> {
  try {
    return textFile(names.join('-'), await readFile(logPath(snapshotsDir, ...names)));
  } catch (cause) {
    if (!isGone(cause)) return fail('TRIALS_UNAVAILABLE', { message: `${UNREADABLE} could not be read.`, cause });
    if (isList) return textFile(names.join('-'), Buffer.alloc(0));
    const message =
      'The log of publications has no such checkpoint; GET /api/v1/snapshots/log tells how many identities it holds.';
    return fail('NOT_FOUND', { message });
  }
}

/** A file of the log grows, so that it is asked for again each time. */
function textFile(name: string, content: Buffer): RangedFile {
  return {
    name,
    bytes: content.length,
    sha256: hash('sha256', content),
    mediaType: 'text/plain; charset=utf-8',
    cacheControl: UNTIL_ANOTHER,
    read: async (start, end) => Readable.from([content.subarray(start, end + 1)]),
  };
}
