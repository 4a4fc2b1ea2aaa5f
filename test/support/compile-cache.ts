import { join } from 'node:path';
import { ROOT } from './tree.ts';

/** For processes that tests start: half of a start's time goes into stripping and compiling the same modules. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile') };
