import { parseArgs } from 'node:util';
import { writeSample } from './generator/write-sample.ts';

/**
 * Writes a synthetic sample of any size, made of the committed one's records, for a trial run:
 * `node tools/sample.ts --ctgov 250 --isrctn 60 --seed 2 DIRECTORY`, read by `pipeline run --source sample --sample`.
 */

const QUALITY = 5;
const number = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  options: { seed: number, ctgov: number, isrctn: number },
  allowPositionals: true,
});
const [directory] = positionals;
if (directory === undefined) {
  process.stderr.write('Give the directory to write to: node tools/sample.ts --ctgov 250 --isrctn 60 DIRECTORY\n');
  process.exitCode = 2;
} else {
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  await writeSample(directory, { seed: 1, ctgov: 2000, isrctn: 300, ...given }, QUALITY);
}
