import { createHash } from 'node:crypto';
import { CONTENT_VERSION } from '../identity/program.ts';
import type { Topic } from './terms/topics.ts';

/** Hash of what decides an image's bytes besides the tables: the program, Unicode's tables, the packer, the topics and the terminology. */
export async function makerOf(topics: readonly Topic[], terminology: Uint8Array): Promise<string> {
  const terms = createHash('sha256').update(terminology).digest('hex');
  const parts = [CONTENT_VERSION, process.versions.unicode, process.versions.brotli, topics, terms];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
