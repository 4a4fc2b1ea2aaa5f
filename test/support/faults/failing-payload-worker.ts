import { parentPort } from 'node:worker_threads';
import type { PayloadAnswer, PayloadRequest } from '../../../index-server/store/payload-thread.ts';

/** Replaces the worker of payloads: dies as the path says, or answers with the path. */
parentPort?.on('message', (request: PayloadRequest) => {
  if ('closed' in request) return;
  const { path } = request;
  if (path === 'exit') process.exit(3);
  if (path === 'throw') throw new Error('a fault of the thread');
  const fault = new RangeError('a fault of the read', { cause: new Error('its cause') });
  const answer: PayloadAnswer = path === 'fault' ? { fault } : { format: 'json', json: new TextEncoder().encode(path) };
  parentPort?.postMessage(answer);
});
