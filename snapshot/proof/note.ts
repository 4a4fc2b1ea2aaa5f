import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Signed notes by the specification of C2SP (c2sp.org/signed-note): a text, an empty line, and a line for each signature. Keys are
 * Ed25519 (signature type 0x01), in the forms that its tools use: `<name>+<key id>+<base64 of the type and the public key>`, and
 * for a private key `PRIVATE+KEY+<name>+<key id>+<base64 of the type and the seed>`.
 */

/** `malformed`: not a note or key. `invalid`: a known key's signature does not hold. `unsigned`: no known key has signed. */
export class NoteFault extends Error {
  readonly code: 'malformed' | 'invalid' | 'unsigned';

  constructor(code: NoteFault['code'], message: string) {
    super(message);
    this.name = 'NoteFault';
    this.code = code;
  }
}

export interface VerifierKey {
  name: string;
  /** Eight hex digits. Name and id together name a key. */
  id: string;
  /** The key in its text form; public. */
  vkey: string;
  publicKey: KeyObject;
}

export interface SignerKey {
  /** The key in its text form; secret. */
  text: string;
  verifier: VerifierKey;
  privateKey: KeyObject;
}

export interface NoteSignature {
  name: string;
  /** Eight hex digits. */
  keyId: string;
  signature: Uint8Array;
}

export interface SignedNote {
  /** With its last newline. */
  text: string;
  signatures: NoteSignature[];
}

const ED25519 = 0x01;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** More than a rotation and many witnesses need; the specification asks for at least 16. */
const MAX_SIGNATURES = 64;
const PRIVATE_PREFIX = 'PRIVATE+KEY+';
const LINE_BEGIN = '— ';
/** What stands before the 32 bytes of a seed and of a public key in DER (RFC 8410). */
const SEED_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether a text may name a key: not empty, without spaces of Unicode and without `+`. */
export function isKeyName(name: string): boolean {
  return name !== '' && name.isWellFormed() && !/[\p{White_Space}\p{Cc}+]/u.test(name);
}

/** A key pair from 32 random bytes. */
export function signerKey(name: string, seed: Uint8Array): SignerKey {
  if (!isKeyName(name)) throw new NoteFault('malformed', `${JSON.stringify(name)} cannot name a key: ${NAME_RULE}`);
  if (seed.length !== KEY_BYTES) throw new NoteFault('malformed', `the seed has ${seed.length} bytes, expected 32`);
  const privateKey = createPrivateKey({ key: Buffer.concat([SEED_DER, seed]), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const verifier = verifierKey(name, der.subarray(PUBLIC_DER.length));
  const material = Buffer.concat([Buffer.of(ED25519), seed]).toString('base64');
  return { text: `${PRIVATE_PREFIX}${name}+${verifier.id}+${material}`, verifier, privateKey };
}

const NAME_RULE = 'expected a text without spaces and without +, such as example.org/trials';

function verifierKey(name: string, bytes: Uint8Array): VerifierKey {
  const typed = Buffer.concat([Buffer.of(ED25519), bytes]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'hex').slice(0, 2 * KEY_ID_BYTES);
  const publicKey = createPublicKey({ key: Buffer.concat([PUBLIC_DER, bytes]), format: 'der', type: 'spki' });
  return { name, id, vkey: `${name}+${id}+${typed.toString('base64')}`, publicKey };
}

/** Reads a public key. Throws NoteFault. */
export function parseVerifierKey(text: string): VerifierKey {
  const { name, id, bytes } = keyParts(text, 'public key');
  const key = verifierKey(name, bytes);
  if (key.id !== id)
    throw new NoteFault('malformed', `the public key of ${name} states the id ${id}, expected ${key.id}`);
  return key;
}

/** Reads a private key. Throws NoteFault, whose message holds nothing of the key but its name. */
export function parseSignerKey(text: string): SignerKey {
  if (!text.startsWith(PRIVATE_PREFIX))
    throw new NoteFault('malformed', `a private key does not begin with ${PRIVATE_PREFIX}`);
  const { name, id, bytes } = keyParts(text.slice(PRIVATE_PREFIX.length), 'private key');
  const key = signerKey(name, bytes);
  if (key.verifier.id !== id)
    throw new NoteFault('malformed', `the private key of ${name} states the id ${id}, expected ${key.verifier.id}`);
  return key;
}

/** The base64 may hold further `+`. */
function keyParts(text: string, what: string): { name: string; id: string; bytes: Buffer } {
  const [, name = '', id = '', material = ''] = /^([^+]*)\+([0-9a-fA-F]{8})\+(.*)$/s.exec(text) ?? [];
  if (!isKeyName(name)) throw new NoteFault('malformed', `a ${what} is not <name>+<8 hex digits>+<base64>`);
  const typed = fromBase64(material);
  if (typed === null || typed[0] !== ED25519 || typed.length !== 1 + KEY_BYTES)
    throw new NoteFault('malformed', `the ${what} of ${name} is not the base64 of a byte 0x01 and 32 bytes (Ed25519)`);
  return { name, id: id.toLowerCase(), bytes: typed.subarray(1) };
}

/**
 * Signs a text, which ends in a newline, with each of the keys, in their order. With a note as `before`, whose text must be the same,
 * its signatures by other keys stay in front.
 */
export function signNote(text: string, keys: readonly SignerKey[], before: SignedNote | null = null): string {
  refuseOtherText(text);
  if (!text.endsWith('\n')) throw new NoteFault('malformed', 'the text of a note does not end in a newline');
  if (before !== null && before.text !== text)
    throw new NoteFault('malformed', 'the note to be signed again has another text');
  const kept = (before?.signatures ?? []).filter(
    (one) => !keys.some(({ verifier }) => verifier.name === one.name && verifier.id === one.keyId),
  );
  const made = keys.map(({ verifier, privateKey }) => ({
    name: verifier.name,
    keyId: verifier.id,
    signature: sign(null, Buffer.from(text), privateKey),
  }));
  const lines = [...kept, ...made].map(({ name, keyId, signature }) => {
    const bytes = Buffer.concat([Buffer.from(keyId, 'hex'), signature]);
    return `${LINE_BEGIN}${name} ${bytes.toString('base64')}\n`;
  });
  if (lines.length === 0) throw new NoteFault('malformed', 'a note needs at least one key');
  return `${text}\n${lines.join('')}`;
}

/** Takes a note apart without believing it. Throws NoteFault for what is not a note. */
export function parseNote(note: string): SignedNote {
  refuseOtherText(note);
  const split = note.lastIndexOf('\n\n');
  if (split < 0) throw new NoteFault('malformed', 'the note has no empty line before its signatures');
  const lines = note.slice(split + 2).split('\n');
  if (lines.pop() !== '' || lines.length === 0)
    throw new NoteFault('malformed', 'the note does not end in a line with a signature');
  if (lines.length > MAX_SIGNATURES)
    throw new NoteFault('malformed', `the note has ${lines.length} signatures, expected at most ${MAX_SIGNATURES}`);
  return { text: note.slice(0, split + 1), signatures: lines.map(parseLine) };
}

function parseLine(line: string): NoteSignature {
  const [, name = '', base64 = ''] = /^— ([^ ]*) (.*)$/.exec(line) ?? [];
  const bytes = fromBase64(base64);
  if (!isKeyName(name) || bytes === null || bytes.length <= KEY_ID_BYTES)
    throw new NoteFault('malformed', 'a line of the note is not a dash (U+2014), the name of a key and base64');
  return {
    name,
    keyId: bytes.subarray(0, KEY_ID_BYTES).toString('hex'),
    signature: bytes.subarray(KEY_ID_BYTES),
  };
}

/**
 * The text of a note and the known keys that signed it, each once. Signatures of other keys are ignored, also where they share a
 * name or an id with a known one. Every signature under a known key must hold, a second one of a key too. Throws NoteFault where
 * one does not, and where none is by a known key.
 */
export function openNote(note: string, known: readonly VerifierKey[]): { text: string; keys: VerifierKey[] } {
  const { text, signatures } = parseNote(note);
  const keys = new Set<VerifierKey>();
  for (const { name, keyId, signature } of signatures) {
    const key = known.find((one) => one.name === name && one.id === keyId);
    if (key === undefined) continue;
    if (signature.length !== SIGNATURE_BYTES || !verify(null, Buffer.from(text), key.publicKey, signature))
      throw new NoteFault('invalid', `the signature by ${name}+${keyId} does not hold`);
    keys.add(key);
  }
  if (keys.size === 0) throw new NoteFault('unsigned', 'no known key has signed the note');
  return { text, keys: [...keys] };
}

/** Throws NoteFault for a control character (below U+0020) other than newline, and for half of a surrogate pair. */
function refuseOtherText(text: string): void {
  const control = /[\u0000-\u0009\u000b-\u001f]/.exec(text);
  if (control !== null)
    throw new NoteFault('malformed', `the note has the control character ${control[0].charCodeAt(0)}`);
  if (!text.isWellFormed()) throw new NoteFault('malformed', 'the note is not valid UTF-8');
}

/** Bytes of standard base64 with its padding; null for any other text. */
function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : null;
}
