import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version as duckdbVersion } from '@duckdb/node-api';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { codeFrom, hashOfCode, readSource } from './code.ts';

type Bound = NonNullable<Manifest['bound']>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Every stage is reached from here; the command line is not part of it. */
const ENTRY = 'pipeline/run/run.ts';

/** Reviewed files that decide on content and that no stage records by itself, by the name that the statement gives them. */
const READ_BY_NAME = {
  countries: 'data/rules/countries.json',
  'country-codes': 'data/rules/country-codes.json',
  'not-stated': 'data/rules/not-stated.json',
  'publication-checks': 'data/rules/publication-checks.json',
  topics: 'data/topics.json',
};
/** Those that a stage records as it applied them, or that the packed terminology holds. */
const RECORDED = [
  ...['data/rules/dedup.json', 'data/lexicons/capitals.json', 'data/lexicons/classes.json', 'data/sources/feeds.json'],
  ...['data/rules/synonyms.json', 'data/terminology/disease-ontology.tsv.gz', 'data/terminology/mesh.tsv.gz'],
];

let program: Promise<Bound['code']> | undefined;

/**
 * This program as it was when it was first asked, since that is the code that runs; `given` is the commit that the operator names, for a
 * program outside a checkout.
 */
export async function programCode(given: string | null): Promise<Bound['code']> {
  program ??= readProgram();
  const { commit, ...code } = await program;
  return { commit: commit ?? given, ...code };
}

async function readProgram(): Promise<Bound['code']> {
  const { sources } = await codeFrom(ENTRY, readSource);
  const reviewed = [...Object.values(READ_BY_NAME), ...RECORDED];
  return {
    ...((await checkout([...sources.keys(), ...reviewed])) ?? { commit: null, changed: null }),
    sources: await hashOfCode(readSource, ENTRY),
    node: process.versions.node,
    duckdb: duckdbVersion(),
  };
}

/**
 * The commit of this program's own checkout, and whether some of `paths` differ from it; null where there is no git, or the program
 * lies inside the checkout of something else.
 */
async function checkout(paths: readonly string[]): Promise<Pick<Bound['code'], 'commit' | 'changed'> | null> {
  const git = async (...words: string[]): Promise<string> =>
    (await promisify(execFile)('git', ['-C', ROOT, '--no-optional-locks', ...words])).stdout;
  try {
    const [inside, commit = ''] = (await git('rev-parse', '--show-prefix', 'HEAD')).split('\n');
    if (inside !== '' || commit === '') return null;
    const differing = await git('status', '--porcelain', '--untracked-files=all', '--', 'package.json', ...paths);
    return { commit, changed: differing !== '' };
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
