import { join } from 'node:path';
import { ROOT } from './tree.ts';

/** FEEDS_FILE of live runs in tests: an empty list, so that no publisher is ever asked. */
export const NO_FEEDS = join(ROOT, 'test', 'support', 'no-feeds.json');
