import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** An answer that does not change: bytes and hash are made once, its gzip when the first caller takes it. */
export class Finished {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Stands for the bytes in an ETag. */
  readonly digest: string;
  #gzip: Promise<Buffer<ArrayBuffer>> | undefined;

  constructor(bytes: Buffer<ArrayBuffer>) {
    this.bytes = bytes;
    this.digest = hash('sha256', bytes, 'base64url');
  }

  /** At the default level, which is worth its time once. */
  gzip(): Promise<Buffer<ArrayBuffer>> {
    this.#gzip ??= compress(this.bytes);
    return this.#gzip;
  }
}
