import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeModules } from '../sdk/make/sdk-files.ts';

/** Writes the modules of the SDK that are made from the contract, for types and tests; git ignores them. */
const FOLDER = join(import.meta.dirname, '..', 'sdk');

for (const [name, text] of Object.entries(madeModules())) {
  const path = join(FOLDER, name);
  // An unchanged file keeps its time, so that nothing that watches it runs again.
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
