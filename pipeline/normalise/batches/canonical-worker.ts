import { parentPort } from 'node:worker_threads';
import { canonicalHash } from './canonical-hashes.ts';

/** Worker of canonical-hashes.ts: answers each list of payloads with their hashes. */
parentPort?.on('message', (payloads: string[]) => parentPort?.postMessage(payloads.map(canonicalHash)));
