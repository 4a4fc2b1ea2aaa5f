import { leafHash } from '../../proof/merkle.ts';
import { consistencyPath, inclusionPath, isConsistent, rootByInclusion, subtreesOf } from '../../proof/merkle-paths.ts';
import { type PublicationLog, rootOf } from './publication-log.ts';

/** Nothing can be proven by the log: its identities do not give the root that its checkpoint states. */
export class LogMisfit extends Error {
  constructor() {
    super('the identities of the log do not give the root that its checkpoint states');
    this.name = 'LogMisfit';
  }
}

/** Where an identity stands under the newest checkpoint, with its path; null where it does not. Throws LogMisfit. */
export function inclusionIn(log: PublicationLog, identity: string): { index: number; path: string[] } | null {
  const leaves = leavesOf(log);
  const [index, size] = [log.identities.indexOf(identity), leaves.length];
  if (log.checkpoint === null || index < 0 || index >= size) return null;
  const path = inclusionPath(subtreesOf(leaves), size, index);
  const root = rootByInclusion({ size, index, leaf: leaves[index]! }, path);
  if (root === null || !log.checkpoint.root.equals(root)) throw new LogMisfit();
  return { index, path: hex(path) };
}

/** The path from the first `from` identities to the newest checkpoint; null where that counts fewer. Throws LogMisfit. */
export function consistencyIn(log: PublicationLog, from: number): { from: number; to: number; path: string[] } | null {
  const leaves = leavesOf(log);
  const { checkpoint, identities } = log;
  if (checkpoint === null || from < 1 || from > leaves.length) return null;
  const path = consistencyPath(subtreesOf(leaves), from, checkpoint.size);
  const earlier = { size: from, root: rootOf(identities, [from])[0]! };
  if (!isConsistent(earlier, checkpoint, path)) throw new LogMisfit();
  return { from, to: checkpoint.size, path: hex(path) };
}

/** Leaves under the newest checkpoint. */
function leavesOf({ checkpoint, identities }: PublicationLog): Buffer[] {
  return identities.slice(0, checkpoint?.size ?? 0).map((identity) => leafHash(Buffer.from(identity, 'hex')));
}

function hex(path: readonly Uint8Array[]): string[] {
  return path.map((node) => Buffer.from(node).toString('hex'));
}
