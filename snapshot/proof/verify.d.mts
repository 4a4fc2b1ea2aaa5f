/** The parts of the verifier that this program uses too, so that one code reads keys, notes, checkpoints and paths. */

/** A check that failed. */
export class Failure extends Error {}

export interface PublicKey {
  name: string;
  /** Eight hex digits. Name and id together name a key. */
  id: string;
  /** The key in its text form. */
  vkey: string;
  bytes: Uint8Array;
}

/** A note taken apart, without believing it. */
export interface SignedText {
  /** With its last newline. */
  text: string;
  signatures: { name: string; id: string; signature: Uint8Array }[];
}

export interface Checkpoint extends SignedText {
  origin: string;
  size: number;
  /** Lower-case hex. */
  root: string;
}

/** Each of these throws Failure under the name `check`. */
export function readKey(line: string): Promise<PublicKey>;
export function readNote(note: string, check: string): SignedText;
export function readCheckpoint(content: string, check: string): Promise<Checkpoint>;
export function signersOf(
  note: SignedText,
  known: readonly PublicKey[],
  check: string,
): Promise<{ by: PublicKey[]; others: { name: string; id: string }[] }>;

/** The root in hex that a path leads to; null for a path that no such tree has. */
export function rootByInclusion(
  claim: { size: number; index: number; leaf: Uint8Array },
  path: readonly string[],
): Promise<string | null>;
export function rootByRange(
  claim: { size: number; first: number; leaves: readonly Uint8Array[] },
  path: readonly string[],
): Promise<string | null>;
