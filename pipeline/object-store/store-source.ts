import { LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import type { Source } from '../pull/gather.ts';
import { addressOf, differs } from '../pull/listing.ts';
import type { PartialFile } from '../pull/partial-file.ts';
import { PullFault, sumOfBytes } from '../pull/service-client.ts';
import { objectKey, parseListing, parseRelease, type Release, type VersionListing } from './layout.ts';

/** Larger than any release or listing: a listing of a full snapshot has about 60 kB. */
const MAX_BYTES = 64_000_000;

/** Reads objects by their SHA-256, and holds what it reads against it. */
export class StoreReader {
  readonly #service: Source;

  /** Paths of the service are keys after a slash. */
  constructor(service: Source) {
    this.#service = service;
  }

  async object(sum: string, maxBytes: number = MAX_BYTES): Promise<Buffer> {
    const content = await this.#service.small(`/${objectKey(sum)}`, maxBytes);
    if (content === null) throw new PullFault(`the store has no ${objectKey(sum)}, which it names`);
    const found = sumOfBytes(content);
    if (found !== sum) throw differs(objectKey(sum), found, sum);
    return content;
  }

  async release(sum: string): Promise<Release> {
    return parseRelease(await this.object(sum), sum);
  }

  async listing(sum: string): Promise<VersionListing> {
    return parseListing(await this.object(sum), sum);
  }

  /** The files of a version and the log of a release, under the paths by which a service gives them. */
  sourceOf({ version, files }: VersionListing, { beside }: Pick<Release, 'beside'>): Source {
    const sums = new Map<string, string>(files.map(({ path, sha256 }) => [addressOf(version, path), sha256]));
    for (const { path, sha256 } of beside) if (path.startsWith(`${LOG_DIR}/`)) sums.set(`/snapshots/${path}`, sha256);
    return {
      small: async (path, maxBytes) => {
        const sum = sums.get(path);
        return sum === undefined ? null : this.object(sum, maxBytes);
      },
      complete: async (path, file, partial: PartialFile) => {
        const sum = sums.get(path);
        if (sum !== file.sha256) throw differs(path, sum ?? 'none in the listing', file.sha256);
        await this.#service.complete(`/${objectKey(sum)}`, file, partial);
      },
    };
  }
}
