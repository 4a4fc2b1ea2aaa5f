import { sha256 } from '../../server-kit/hashing.ts';
import {
  type Answer,
  Downloader,
  type DownloadOptions,
  type Part,
  PullFault,
  type Source,
} from '../pull/downloader.ts';
import { differs } from '../pull/listing.ts';
import { parseRelease, type Release, SUMMED, summedKey, VERSIONS } from './layout.ts';
import type { S3Client } from './s3-client.ts';

/** Larger than any release, log or kept change. */
const MAX_BYTES = 64_000_000;

/** The files of a store. Without a release, the objects under their SHA-256 alone. */
export class StoreSource implements Source {
  readonly #client: S3Client;
  readonly #signal: AbortSignal | undefined;
  readonly #sums: ReadonlyMap<string, string>;

  constructor(client: S3Client, signal?: AbortSignal, release?: Release) {
    this.#client = client;
    this.#signal = signal;
    this.#sums = new Map(release?.files.map(({ path, sha256 }) => [path, sha256]));
  }

  address(path: string): string {
    return `${this.#client.name}/${this.#key(path)}`;
  }

  open(path: string, part: Part | null): Promise<Answer> {
    return this.#client.open(this.#key(path), part?.from ?? 0, this.#signal);
  }

  #key(path: string): string {
    if (path.startsWith(SUMMED)) return path;
    const sum = this.#sums.get(path);
    return sum === undefined ? `${VERSIONS}${path}` : summedKey(sum);
  }
}

/** An object under its SHA-256, which is checked. */
export async function summedObject(files: Downloader, sum: string): Promise<Buffer> {
  const key = summedKey(sum);
  const content = await files.small(key, MAX_BYTES);
  if (content === null) throw new PullFault(`the store has no ${key}, which it names`);
  const found = sha256(content);
  if (found !== sum) throw differs(key, found, sum);
  return content;
}

export async function readRelease(client: S3Client, sum: string, options: DownloadOptions = {}): Promise<Release> {
  const files = new Downloader(new StoreSource(client, options.signal), options);
  return parseRelease(await summedObject(files, sum), summedKey(sum));
}
