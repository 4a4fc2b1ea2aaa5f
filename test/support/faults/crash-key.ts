import { signerKey } from '../../../snapshot/proof/note.ts';

/** Signs the log of the snapshots that crash-process.ts publishes. */
export const CRASH_KEY = signerKey('example.org/crash', Buffer.alloc(32, 1));
