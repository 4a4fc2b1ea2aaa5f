import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version as duckdbVersion } from '@duckdb/node-api';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';

type Bound = Manifest['bound'];

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Raised where code changes what a run makes of equal inputs; a snapshot states it, with the commit. */
export const CONTENT_VERSION = 1;

/** Reviewed files that decide on content and that no stage records by itself, by the name that the statement gives them. */
const READ_BY_NAME = {
  countries: 'data/rules/countries.json',
  'country-codes': 'data/rules/country-codes.json',
  'not-stated': 'data/rules/not-stated.json',
  'publication-checks': 'data/rules/publication-checks.json',
  topics: 'data/topics.json',
  words: 'data/rules/words.json',
};
let commit: Promise<string | null> | undefined;

/** The program that runs; `given` is the commit that the operator names, for one outside a checkout. */
export async function programCode(given: string | null): Promise<Bound['code']> {
  commit ??= ownCommit();
  const [node, duckdb] = [process.versions.node, duckdbVersion()];
  return { version: CONTENT_VERSION, commit: (await commit) ?? given, node, duckdb };
}

/** The commit of this program's own checkout; null without git, or inside the checkout of something else. */
async function ownCommit(): Promise<string | null> {
  const words = ['-C', ROOT, '--no-optional-locks', 'rev-parse', '--show-prefix', 'HEAD'];
  try {
    const [inside, head = ''] = (await promisify(execFile)('git', words)).stdout.split('\n');
    return inside === '' && head !== '' ? head : null;
  } catch {
    return null;
  }
}

/** The reviewed files that no stage records, in order of their names. */
export async function rulesReadByName(): Promise<Bound['rules']> {
  return Promise.all(
    Object.entries(READ_BY_NAME).map(async ([name, path]) => {
      const sha256 = createHash('sha256')
        .update(await readFile(join(ROOT, path)))
        .digest('hex');
      return { name, sha256 };
    }),
  );
}
