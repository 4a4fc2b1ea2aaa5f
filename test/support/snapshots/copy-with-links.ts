import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Copies a directory to a path that does not exist yet. Files that were one by hard links are one in the copy too, as
 * payloads of a data directory and its snapshots are; `cp` of node:fs would separate them.
 */
export async function copyWithLinks(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}
