import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { correctMode, OWNER_ONLY } from '../../server-kit/owner-only.ts';

const KEY_BYTES = 32;
/** What GCM is made for; random, since a key seals far fewer than 2^32 texts. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** What a sealed text begins with, so that it is told from a text in clear and from a later form. */
const PREFIX = 'sealed1.';

/** What a text is sealed for; each purpose has a key of its own. */
type Purpose = 'idempotent answer' | 'webhook secret' | 'name of the key' | 'address salt';

/**
 * Encrypts what the board must be able to read again and nobody else may: AES-256-GCM under a key of the installation,
 * which lies in a file of its own and never in the board.
 */
export class Sealer {
  readonly #key: Buffer;
  readonly #keys = new Map<Purpose, Buffer>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** `place` says where it will lie; it opens nowhere else. */
  seal(purpose: Purpose, place: string, content: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyFor(purpose), nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
    return PREFIX + sealed.toString('base64url');
  }

  /** The text; null where it was sealed with another key or for another place, or was changed. */
  open(purpose: Purpose, place: string, sealed: string): string | null {
    if (!sealed.startsWith(PREFIX)) return null;
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const end = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, this.#keyFor(purpose), bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(end));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString();
    } catch {
      return null;
    }
  }

  /** Tells this key from others, and gives nobody the key. */
  get name(): string {
    return this.#keyFor('name of the key').toString('base64url');
  }

  #keyFor(purpose: Purpose): Buffer {
    const known = this.#keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.#key, '', `trial-board ${purpose}`, KEY_BYTES));
    this.#keys.set(purpose, key);
    return key;
  }
}

/** The key's file of a board's file. */
export function keyFileOf(board: string): string {
  return `${board}.key`;
}

/** The sealer with the key of a file, which is made once, for its owner only. Throws for a key of another length. */
export function sealerOf(path: string): Sealer {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, {
      mode: OWNER_ONLY,
      flag: 'wx',
      flush: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  correctMode(path);
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
  if (key.length === KEY_BYTES) return new Sealer(key);
  throw new Error(
    `${path} holds no key of ${KEY_BYTES} bytes: put the right one back, or remove it to give up what it sealed`,
  );
}
