import { type SdkModules, sdkModules } from '../sdk/make/sdk-files.ts';

/** Runs in a worker: half a second of processor time that would hold up every request of the gateway's thread. */
export function makeSdk(): SdkModules {
  // Node warns that the removal of types may change; the pinned version and the tests of the package hold it.
  process.removeAllListeners('warning');
  return sdkModules();
}
