import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Runs changed code without a copy of the checkout. It is loaded as `node --import <this file>?texts=<path>`; workers
 * inherit it. The JSON file at that path maps file URLs of modules to the texts to load instead.
 */
const path = new URL(import.meta.url).searchParams.get('texts') as string;
const texts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;

registerHooks({
  load(url, context, nextLoad) {
    const source = texts[url];
    return source === undefined ? nextLoad(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});
