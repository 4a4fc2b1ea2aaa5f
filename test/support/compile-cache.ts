import { join } from 'node:path';
import { ROOT } from './tree.ts';

/** For processes that tests start: half of what a start costs is stripping and compiling the same modules again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile') };
