import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The SDK as the package that `npm pack` makes of it, so that `npm install <service>/api/v1/sdk.tgz` installs it. */

const BLOCK_BYTES = 512;

/** The tarball of the SDK in `folder`. The same files give the same bytes: no time and no owner is written into it. */
export function sdkPackage(folder: string): Buffer<ArrayBuffer> {
  const js = join(folder, 'js');
  const made = readdirSync(js).filter((name) => name !== 'types.d.ts');
  const files: [path: string, source: string][] = [
    ['package.json', join(folder, 'package.json')],
    ['README.md', join(folder, 'README.md')],
    ['LICENSE', join(folder, '..', 'LICENSE')],
    ...made.sort().map((name): [string, string] => [`js/${name}`, join(js, name)]),
    // A module of types alone is its own declaration.
    ['js/types.d.ts', join(folder, 'types.ts')],
  ];
  const entries = files.flatMap(([path, source]) => entryOf(`package/${path}`, readFileSync(source)));
  const packed = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 });
  // zlib writes the operating system here; a fixed value keeps the bytes equal everywhere.
  packed[9] = 255;
  return packed;
}

/** A file of a tar archive: its header (POSIX ustar), its bytes, and zeros up to a whole block. */
function entryOf(path: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(path, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(0, 11), 136);
  // The checksum is computed with blanks in its own place. The 0 after it marks a plain file.
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return [header, content, Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)];
}
