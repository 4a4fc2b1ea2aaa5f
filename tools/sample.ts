import { parseArgs } from 'node:util';
import { SAMPLE_DIRECTORY } from '../pipeline/run/sample.ts';
import { SAMPLE, writeSample } from './generator/write-sample.ts';

/**
 * Writes the synthetic sample that `npm start` begins with. For a trial run with another size, seed and folder:
 * `node tools/sample.ts --ctgov 250 --isrctn 60 --seed 2 DIRECTORY`, read by `pipeline run --source sample --sample`.
 */

/** Brotli's highest quality: half of gzip's size in the repository, for a minute of CPU. */
const QUALITY = 11;

const number = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  options: { seed: number, ctgov: number, isrctn: number },
  allowPositionals: true,
});
const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
await writeSample(positionals[0] ?? SAMPLE_DIRECTORY, { ...SAMPLE, ...given }, QUALITY);
