import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import type { PublicKey, SignedText } from './verify.mjs';

/**
 * Makes signed notes by the specification of C2SP (c2sp.org/signed-note), which verify.mjs reads: a text, an empty line, and a line for each
 * signature. A private key is `PRIVATE+KEY+<name>+<key id>+<base64 of the type, 0x01 for Ed25519, and the seed>`.
 */

/** A private key that cannot be used; the message holds nothing of it but its name. */
export class KeyFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyFault';
  }
}

export interface SignerKey {
  /** The key in its text form; secret. */
  text: string;
  verifier: PublicKey;
  privateKey: KeyObject;
}

const ED25519 = 0x01;
const SEED_BYTES = 32;
const PRIVATE_KEY = /^PRIVATE\+KEY\+([^+]*)\+([0-9a-fA-F]{8})\+(.*)$/s;
/** The bytes before the 32 of a seed and of a public key in DER (RFC 8410). */
const SEED_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER_BYTES = 12;

/** Whether a text may name a key: not empty, without spaces of Unicode and without `+`. */
export function isKeyName(name: string): boolean {
  return name !== '' && name.isWellFormed() && !/[\p{White_Space}\p{Cc}+]/u.test(name);
}

/** A key pair from 32 random bytes. */
export function signerKey(name: string, seed: Uint8Array): SignerKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([SEED_DER, seed]), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const bytes = Uint8Array.from(der.subarray(PUBLIC_DER_BYTES));
  const typed = Buffer.concat([Buffer.of(ED25519), bytes]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'hex').slice(0, 8);
  const verifier = { name, id, vkey: `${name}+${id}+${typed.toString('base64')}`, bytes };
  const material = Buffer.concat([Buffer.of(ED25519), seed]).toString('base64');
  return { text: `PRIVATE+KEY+${name}+${id}+${material}`, verifier, privateKey };
}

/** Reads a private key. Throws KeyFault. */
export function parseSignerKey(text: string): SignerKey {
  const [, name = '', id = '', material = ''] = PRIVATE_KEY.exec(text) ?? [];
  if (!isKeyName(name)) throw new KeyFault('a private key is not PRIVATE+KEY+<name>+<8 hex digits>+<base64>');
  const typed = Buffer.from(material, 'base64');
  if (typed.toString('base64') !== material || typed[0] !== ED25519 || typed.length !== 1 + SEED_BYTES)
    throw new KeyFault(`the private key of ${name} is not the base64 of a byte 0x01 and 32 bytes (Ed25519)`);
  const key = signerKey(name, typed.subarray(1));
  if (key.verifier.id !== id.toLowerCase())
    throw new KeyFault(`the private key of ${name} states the id ${id}, expected ${key.verifier.id}`);
  return key;
}

/**
 * Signs a text, which ends in a newline, with each of the keys, in their order. With a note as `before`, whose text is the same,
 * its signatures by other keys stay in front.
 */
export function signNote(text: string, keys: readonly SignerKey[], before: SignedText | null = null): string {
  const kept = (before?.signatures ?? []).filter(
    (one) => !keys.some(({ verifier }) => verifier.name === one.name && verifier.id === one.id),
  );
  const made = keys.map(({ verifier: { name, id }, privateKey }) => {
    return { name, id, signature: sign(null, Buffer.from(text), privateKey) };
  });
  const lines = [...kept, ...made].map(({ name, id, signature }) => {
    const bytes = Buffer.concat([Buffer.from(id, 'hex'), signature]);
    return `— ${name} ${bytes.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}
