import { PAGE_PARAMETERS, type TRIAL_FILES } from '../../contract/interfaces/take-away.ts';
import { FILE_HONESTY } from '../../contract/standing-honesty.ts';
import { csvOnTheWeb, type FileAbout } from '../../server-kit/answer/file-about.ts';
import { fileNameOf } from '../../server-kit/answer/file-name.ts';
import { etagOf, matches } from '../../server-kit/conditional.ts';
import { addressGroup } from '../../server-kit/limits/address.ts';
import type { Fail, Handlers, Reply, RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { filtersAsRead } from '../../snapshot/format/filters-as-read.ts';
import { partsHeld } from '../../snapshot/format/registry-answer.ts';
import type { BegunFile, ExportJob } from '../exports/export-thread.ts';
import { columnsAsked, trialColumns } from '../exports/trial-columns.ts';
import type { TrialFormat } from '../exports/trial-file.ts';
import { FOREVER, UNTIL_ANOTHER } from '../ranged-file.ts';
import type { SearchQuery } from '../search/filters.ts';
import type { IndexServices } from '../services.ts';
import type { ServedManifest } from '../snapshot/publication-trust.ts';
import { standings } from '../standing.ts';
import { heldVersion } from './snapshots.ts';

/** Raised when the same version gives other bytes. */
const LAYOUT = 3;

type FileCode = 'INVALID_PARAM' | 'NOT_FOUND' | 'TRIALS_UNAVAILABLE' | 'RATE_LIMITED';
type FailFile = Fail<FileCode>;

interface FileQuery extends Omit<SearchQuery, 'page' | 'pageSize'> {
  snapshot?: string | undefined;
  header?: 'words' | 'names' | undefined;
}

const MEDIA_TYPES: Record<TrialFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  ris: 'application/x-research-info-systems; charset=utf-8',
};
const RETRY_SECONDS = 10;
/** Why a version that is not served answers no question about modality. */
export const NO_MODALITY =
  'no filter modality beside it: the labels of a version that is not served would have to be inferred for every trial first';

export const trialFileHandlers: Handlers<typeof TRIAL_FILES, IndexServices> = {
  'trials-csv': ({ query }, context, services, fail) => trialFile('csv', query, context, services, fail),

  'trials-jsonl': ({ query }, context, services, fail) => trialFile('jsonl', query, context, services, fail),

  'trials-ris': ({ query }, context, services, fail) => trialFile('ris', query, context, services, fail),

  'trials-csv-metadata': async ({ query }, context, services, fail) => {
    const asked = await askedFile('csv', query, context, services, fail);
    const known = notModified(asked, context);
    if (known !== null) return known;
    const file = await begun(asked, context, services, fail);
    file.end();
    const { header = 'words' } = query;
    const described = csvOnTheWeb(trialColumns(columnsAsked(query)), file.about, { by: header, key: 'canonical_id' });
    const body = Buffer.from(JSON.stringify(described, null, 2));
    return {
      data: '',
      stream: new Blob([body]).stream(),
      headers: { ...cachingOf(asked), 'content-type': 'application/csvm+json', 'content-length': String(body.length) },
    };
  },
};

async function trialFile(
  format: TrialFormat,
  query: FileQuery,
  context: RequestContext,
  services: IndexServices,
  fail: FailFile,
): Promise<Reply<string>> {
  const asked = await askedFile(format, query, context, services, fail);
  const known = notModified(asked, context);
  if (known !== null) return known;
  const file = await begun(asked, context, services, fail);
  const { about } = asked.job;
  const name = fileNameOf('trials', Object.values(about.query), about.snapshot, format);
  return {
    data: '',
    stream: streamOf(file, context.signal()),
    headers: {
      ...cachingOf(asked),
      'content-type': MEDIA_TYPES[format],
      'content-disposition': `attachment; filename="${name}"`,
      'content-location': pathOf(about.address),
      ...(about.columns === null
        ? {}
        : { link: `<${about.columns}>; rel="describedby"; type="application/csvm+json"` }),
    },
  };
}

interface AskedFile {
  job: ExportJob;
  etag: string;
  /** Whether the address names its version. */
  isPermanent: boolean;
}

async function askedFile(
  format: TrialFormat,
  query: FileQuery,
  context: RequestContext,
  services: IndexServices,
  fail: FailFile,
): Promise<AskedFile> {
  const { snapshot, header = 'words', ...search } = query;
  const { holder, sources, modalities } = services;
  const { baseUrl } = context;
  using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
  const { image } = lease;
  const isServed = snapshot === undefined || snapshot === image.version;
  const held = isServed ? null : await heldVersion(snapshot, services, fail);
  if (search.modality !== undefined && !isServed) refuseParameter('snapshot', NO_MODALITY, fail);
  const directory = held?.dir ?? image.directory;
  const manifest: ServedManifest =
    held === null ? lease.manifest : { ...held.manifest, signed: await holder.trust.isSigned(held.manifest) };
  const within = search.modality === undefined ? null : await modalities.rowsWith(image, search.modality);
  const names = Object.fromEntries(
    manifest.registries.map(({ registry }) => [registry, sources.of(registry).name] as const),
  );
  const permanent = new URLSearchParams({ ...context.applied, snapshot: manifest.version });
  const about = {
    title: 'Trials found',
    ...{ snapshot: manifest.version, identity: manifest.identity },
    ...{ asOf: manifest.asOf, corpus: manifest.corpus },
    query: queryAsRead(context.applied),
    ignored: context.ignored.filter((name) => !PAGE_PARAMETERS.includes(name)),
    sources: sourcesOf(manifest, services),
    held: partsHeld(manifest),
    honesty: FILE_HONESTY,
    address: `${baseUrl}/trials.${format}?${permanent}`,
    columns: format === 'csv' ? `${baseUrl}/trials.csv-metadata.json?${permanent}` : null,
  };
  const pairs = JSON.stringify(context.pairs);
  const depends = [LAYOUT, context.path, pairs, baseUrl, manifest.version, modalities.vocabulary];
  const options = { format, header, registryNames: names, baseUrl };
  return {
    job: { directory, manifest, query: search, within, about, options },
    etag: etagOf(depends.join('\n')),
    isPermanent: snapshot !== undefined,
  };
}

/** A fault of the worker, a refused query and too many files are refused here. */
async function begun(
  { job }: AskedFile,
  context: RequestContext,
  { exports }: IndexServices,
  fail: FailFile,
): Promise<BegunFile> {
  const file = await exports
    .begin(job, addressGroup(context.address))
    .catch((cause) => fail('TRIALS_UNAVAILABLE', { cause }));
  if ('refused' in file) return fail(file.refused.code as FileCode, file.refused.details);
  if (!('tooMany' in file)) return file;
  if (file.tooMany === 'own') {
    const message = 'Your address has as many files being made as it may; wait for one to end, or end it.';
    return fail('RATE_LIMITED', { message, retryAfterSeconds: RETRY_SECONDS });
  }
  const message = 'Too many files are being made at the moment; this one was not begun.';
  return fail('TRIALS_UNAVAILABLE', { message, retryAfterSeconds: RETRY_SECONDS });
}

/** A reader takes a piece, 256 kB, within this time, else it loses its place to others: 13 kB a second. */
const STALLED_MS = 20_000;

/** Pieces that are ready before the reader takes them, so that the worker goes on while the socket is busy. */
const PIECES_AHEAD = 2;

/** Asks for a piece when the reader has taken the last. A fault breaks the answer off, so that it never looks whole. */
export function streamOf(file: BegunFile, left: AbortSignal, stalledMs = STALLED_MS): ReadableStream<Uint8Array> {
  let waiting: NodeJS.Timeout | undefined;
  if (left.aborted) file.end();
  else left.addEventListener('abort', () => file.end(), { once: true });
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      clearTimeout(waiting);
      const piece = await file.next();
      if (piece === null) return controller.close();
      controller.enqueue(piece);
      waiting = setTimeout(() => {
        file.end();
        controller.error(new Error(`the reader took no piece for ${stalledMs} ms`));
      }, stalledMs);
    },
    cancel: () => {
      clearTimeout(waiting);
      file.end();
    },
  };
  return new ReadableStream(source, { highWaterMark: PIECES_AHEAD });
}

function notModified(asked: AskedFile, context: RequestContext): Reply<string> | null {
  if (!matches(context.header('if-none-match'), asked.etag)) return null;
  return { data: '', stream: null, status: 304, headers: cachingOf(asked) };
}

function cachingOf({ etag, isPermanent }: AskedFile): Record<string, string> {
  return { etag, 'cache-control': isPermanent ? FOREVER : UNTIL_ANOTHER };
}

/** What narrows and orders the result; not how it is laid out. */
function queryAsRead(applied: Readonly<Record<string, string>>): Record<string, string> {
  const { header: _header, snapshot: _snapshot, ...query } = applied;
  const { sort, include } = query;
  return { ...filtersAsRead(query), ...(sort && { sort }), ...(include && { include }) };
}

function sourcesOf(manifest: ServedManifest, { sources }: IndexServices): FileAbout['sources'] {
  // The days of the data do not depend on when they are asked for.
  return standings(manifest, sources, new Date(manifest.createdAt)).map(({ registry, dataDay, registrations }) => {
    const { name, publisher, licence, licenceUrl } = sources.of(registry);
    return { name, publisher, licence, licenceUrl, dataDay, registrations };
  });
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
