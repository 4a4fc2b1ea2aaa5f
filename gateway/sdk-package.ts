import { gzipSync } from 'node:zlib';

/** The SDK as a package of npm, so that `npm install <service>/api/v1/sdk.tgz` installs it. */

const BLOCK_BYTES = 512;

/** A tarball of these files, by their paths. The same files give the same bytes: no time and no owner is written into it. */
export function packageOf(files: Readonly<Record<string, Buffer>>): Buffer<ArrayBuffer> {
  const entries = Object.entries(files).flatMap(([path, content]) => entryOf(`package/${path}`, content));
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
