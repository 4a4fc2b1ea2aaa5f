import { parentPort } from 'node:worker_threads';
import { sdkModules } from '../sdk/make/sdk-files.ts';

/** Makes the SDK once and ends: half a second of processor time that would hold up every request of the gateway's thread. */
// Node warns that the removal of types may change; the pinned version and the tests of the package hold it.
process.removeAllListeners('warning');
parentPort!.postMessage(sdkModules());
