import type { SNAPSHOT_OPERATIONS } from '../../contract/operations/trials/snapshots.ts';
import type { DiffKind } from '../../contract/schemas/trials/snapshot-diff.ts';
import { type Fail, type Handlers, JsonText } from '../../server-kit/mount.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { removedWords } from '../../snapshot/format/versions/removed.ts';
import { isReadable, type KnownSnapshot, type RemovedSnapshot } from '../../snapshot/format/versions/version-list.ts';
import { pageLinks, snapshotValidator, trialMeta } from '../meta.ts';
import { presentSnapshot, presentSummary } from '../present-snapshot.ts';
import { heldRow, readListItem } from '../search/hints/held-trial.ts';
import type { IndexServices } from '../services.ts';
import type { ServedManifest } from '../snapshot/publication-trust.ts';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.ts';
import { sendFile } from '../snapshot-file.ts';
import type { Compared } from '../store/comparisons.ts';

/** Short for the caller that waits, long enough not to burden the server. */
const UNFINISHED_RETRY_SECONDS = 2;
/** Most versions that a refusal names. */
const NAMED_VERSIONS = 10;

/** The manifest of the served snapshot, which `_meta` describes. */
export function served(holder: SnapshotHolder, fail: Fail<'TRIALS_UNAVAILABLE'>): ServedManifest {
  using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
  return lease.manifest;
}

/** Waits for a read; a failed read becomes TRIALS_UNAVAILABLE, never an empty list. */
export async function reading<Value>(
  work: Promise<Value>,
  what: string,
  fail: Fail<'TRIALS_UNAVAILABLE'>,
): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    return fail('TRIALS_UNAVAILABLE', { message: `${what} could not be read.`, cause });
  }
}

type FailNamed = Fail<'NOT_FOUND' | 'TRIALS_UNAVAILABLE'>;

/** A version by its name or as `current`, held or removed. If nothing is kept of it, the error lists those that are held. */
async function named(
  version: string,
  { holder, versionList }: IndexServices,
  fail: FailNamed,
): Promise<KnownSnapshot | RemovedSnapshot> {
  const name = version === 'current' ? served(holder, fail).version : version;
  const what = `The version ${name}`;
  const found =
    (await reading(versionList.find(name), what, fail)) ?? (await reading(versionList.findRemoved(name), what, fail));
  if (found === null) {
    const held = await heldWords(versionList, fail);
    return fail('NOT_FOUND', { message: `The version ${name} is not held here, or not any more. ${held}` });
  }
  if (isReadable(found)) return found;
  return fail('TRIALS_UNAVAILABLE', {
    message: `The manifest of the version ${name} cannot be read: ${found.reason}.`,
  });
}

/**
 * A version by its name, unless nothing vouches for it that this server trusts: then it is only described, as not signed.
 * What it holds may be anything that somebody put there.
 */
async function trustedVersion(version: string, services: IndexServices, fail: FailNamed) {
  const found = await named(version, services, fail);
  const fault = await reading(services.holder.trust.distrusts(found.manifest), 'The log of publications', fail);
  if (fault === null) return found;
  return fail('TRIALS_UNAVAILABLE', {
    message: `The version ${found.version} is not served: nothing that is trusted here vouches for it (${fault}).`,
  });
}

/** A version whose tables are held. The error for a removed one says what of it is kept, and which versions are held. */
export async function heldVersion(version: string, services: IndexServices, fail: FailNamed): Promise<KnownSnapshot> {
  const found = await trustedVersion(version, services, fail);
  if (found.state === 'held') return found;
  const held = await heldWords(services.versionList, fail);
  return fail('NOT_FOUND', {
    message: `${removedWords(found)}, so it cannot be compared. GET /api/v1/snapshots/${found.version} tells its figures, and how it differed from its parent. ${held}`,
  });
}

/** The newest versions that are held, as a sentence. */
export async function heldWords(versionList: IndexServices['versionList'], fail: FailNamed): Promise<string> {
  const versions = await reading(versionList.versions(), 'The list of versions', fail);
  const more = versions.length > NAMED_VERSIONS ? `, and ${versions.length - NAMED_VERSIONS} older ones` : '';
  return `Held are ${versions.slice(0, NAMED_VERSIONS).join(', ')}${more}.`;
}

export const snapshotHandlers: Handlers<typeof SNAPSHOT_OPERATIONS, IndexServices> = {
  snapshots: async ({ query }, context, { holder, sources, versionList }, fail) => {
    const { page, pageSize } = query;
    const manifest = served(holder, fail);
    const [versions, current, lastCheck] = await reading(
      Promise.all([versionList.versions(), versionList.current(), versionList.lastCheck()]),
      'The list of versions',
      fail,
    );
    const asked = versions.slice((page - 1) * pageSize, page * pageSize);
    const found = await reading(Promise.all(asked.map((name) => versionList.find(name))), 'A version', fail);
    // A version removed since the directory was read is left out.
    const held = found.filter((one) => one !== null);
    const readable = held.filter(isReadable);
    const signed = await reading(
      Promise.all(readable.map((one) => holder.trust.isSigned(one.manifest))),
      'The log of publications',
      fail,
    );
    const paging = { page, pageSize, totalItems: versions.length, returned: held.length };
    return {
      data: {
        current,
        snapshots: readable.map((one, place) => presentSummary(one, { current, lastCheck, signed: signed[place]! })),
        unreadable: held.flatMap((one) => (isReadable(one) ? [] : [one])),
      },
      meta: { ...trialMeta(manifest, sources, context, false), ...pageLinks(context, paging) },
      validator: [
        snapshotValidator(manifest, sources, context.now),
        current,
        lastCheck?.checkedAt,
        ...signed,
        ...versions,
        ...held.map((one) => (isReadable(one) ? one.manifest.identity : one.reason)),
      ].join(' '),
    };
  },

  snapshot: async ({ params }, context, services, fail) => {
    const { holder, sources, versionList } = services;
    const manifest = served(holder, fail);
    const known = await named(params.version, services, fail);
    const [current, lastCheck] = await reading(
      Promise.all([versionList.current(), versionList.lastCheck()]),
      'CURRENT',
      fail,
    );
    const signed = await reading(holder.trust.isSigned(known.manifest), 'The log of publications', fail);
    return {
      data: presentSnapshot(known, { current, lastCheck, signed }, context.baseUrl),
      meta: trialMeta(manifest, sources, context, false),
      validator: `${snapshotValidator(manifest, sources, context.now)} ${known.state} ${known.manifest.identity} ${current} ${lastCheck?.checkedAt} ${signed} ${context.baseUrl}`,
    };
  },

  'snapshot-diff': async ({ params, query }, context, services, fail) => {
    const { holder, sources, comparisons } = services;
    const { kind, field, registry, q, page, pageSize } = query;
    if (field !== undefined && !kind.endsWith('-changed')) {
      const expected = 'no field, or a kind that ends in -changed';
      fail('INVALID_PARAM', { message: `Entries of ${kind} have no fields.`, parameter: 'field', expected });
    }
    const [from, to] = [await heldVersion(params.from, services, fail), await heldVersion(params.to, services, fail)];
    const range = { offset: (page - 1) * pageSize, limit: pageSize };
    const compared = await reading(
      comparisons.read(from, to, { kind, field, registry, q }, range),
      'The comparison',
      fail,
    );
    if (compared.state !== 'compared') {
      // Fails with NOT_FOUND if a version was removed in the meantime, as a retry cannot help.
      for (const { version } of [from, to]) await heldVersion(version, services, fail);
      return refuse(compared, from, to, fail);
    }
    const manifest = served(holder, fail);
    const paging = { page, pageSize, totalItems: compared.page.total, returned: compared.page.entries.length };
    return {
      data: diffData({ from, to, kind, compared }, services),
      meta: { ...trialMeta(manifest, sources, context, false), ...pageLinks(context, paging) },
      validator: `${snapshotValidator(manifest, sources, context.now)} ${from.manifest.identity} ${to.manifest.identity}`,
    };
  },

  'snapshot-file': async ({ params }, context, services, fail) => {
    const known = await trustedVersion(params.version, services, fail);
    return sendFile(known, params.name, { context, isPermanent: params.version !== 'current' }, fail);
  },

  'snapshot-folder-file': async ({ params }, context, services, fail) => {
    const known = await trustedVersion(params.version, services, fail);
    const path = `${params.folder}/${params.name}`;
    return sendFile(known, path, { context, isPermanent: params.version !== 'current' }, fail);
  },
};

function refuse(
  compared: Exclude<Compared, { state: 'compared' }>,
  from: KnownSnapshot,
  to: KnownSnapshot,
  fail: Fail<'TRIALS_UNAVAILABLE'>,
): never {
  const pair = `${from.version} with ${to.version}`;
  if (compared.state === 'failed') {
    const { retryAfterSeconds } = compared;
    return fail('TRIALS_UNAVAILABLE', {
      message: `The comparison of ${pair} failed: a file of theirs could not be read, or does not add up.`,
      retryAfterSeconds,
    });
  }
  const message =
    compared.state === 'unfinished'
      ? `The comparison of ${pair} is not finished yet. Nothing failed: it goes on, and the same call finds it done.`
      : 'Too many comparisons wait for one another; this one was not begun.';
  return fail('TRIALS_UNAVAILABLE', { message, retryAfterSeconds: UNFINISHED_RETRY_SECONDS });
}

interface DiffPart {
  from: KnownSnapshot;
  to: KnownSnapshot;
  kind: DiffKind;
  compared: Extract<Compared, { state: 'compared' }>;
}

/** Joins the entries, which are JSON texts already. */
function diffData({ from, to, kind, compared }: DiffPart, { holder }: IndexServices): JsonText {
  const { totals, page } = compared;
  const head = { from: sideOf(from.manifest), to: sideOf(to.manifest), totals, kind, fields: page.fields };
  const now = currentHolders(page.entries, kind, holder);
  const text = `${JSON.stringify(head).slice(0, -1)},"entries":[${page.entries.join(',')}],"now":${JSON.stringify(now)}}`;
  const first = page.entries.slice(0, 1).map((entry): unknown => JSON.parse(entry));
  return new JsonText(Buffer.from(text), { ...head, entries: first });
}

function sideOf({ version, createdAt, contentHash, asOf, corpus }: Manifest) {
  return { version, createdAt, contentHash, asOf, corpus };
}

/** The trial of the served snapshot that holds each id in the entries. */
function currentHolders(entries: readonly string[], kind: DiffKind, holder: SnapshotHolder) {
  using lease = holder.acquire();
  if (lease === null) return [];
  const { image } = lease;
  const ids = new Set(entries.flatMap((entry) => idsOf(JSON.parse(entry) as Record<string, string>, kind)));
  return [...ids].map((id) => {
    const row = heldRow(image, id);
    if (row === null) return { id, canonicalId: null, title: null, registrations: [] };
    const { canonicalId, title, registrations } = readListItem(image, row);
    return { id, canonicalId, title, registrations: registrations.map((one) => one.id) };
  });
}

function idsOf(entry: Record<string, string>, kind: DiffKind): string[] {
  const names = kind.startsWith('trials-')
    ? ['canonicalId', 'into']
    : kind.startsWith('links-')
      ? ['from', 'to']
      : ['id'];
  return names.flatMap((name) => entry[name] ?? []);
}
