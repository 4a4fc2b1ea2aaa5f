import { NoteFault, parseNote } from './note.ts';

/**
 * The text of a checkpoint by the specification of C2SP (c2sp.org/tlog-checkpoint): the log's name, how many leaves its tree has, and
 * the tree's root.
 */
export interface Checkpoint {
  origin: string;
  size: number;
  /** 32 bytes. */
  root: Buffer;
}

const HASH_BYTES = 32;

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** Reads the text of a checkpoint. Lines after the third are no part of the tree and are left unread. Throws NoteFault. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length < 3 || lines.includes(''))
    throw new NoteFault('malformed', 'a checkpoint is not three lines or more, none of them empty');
  const [origin, size, base64] = lines as [string, string, string];
  const leaves = Number(size);
  if (!/^(?:0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(leaves))
    throw new NoteFault('malformed', `the size of the checkpoint is ${JSON.stringify(size)}, expected a whole number`);
  const root = Buffer.from(base64, 'base64');
  if (root.length !== HASH_BYTES || root.toString('base64') !== base64)
    throw new NoteFault('malformed', 'the root of the checkpoint is not the base64 of 32 bytes');
  return { origin, size: leaves, root };
}

/** The text of a checkpoint that may be unsigned: then it is the text alone, which has no empty line. Throws NoteFault. */
export function textOfCheckpoint(content: string): { text: string; isSigned: boolean } {
  return content.includes('\n\n')
    ? { text: parseNote(content).text, isSigned: true }
    : { text: content, isSigned: false };
}
