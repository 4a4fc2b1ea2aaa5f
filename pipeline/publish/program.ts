import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version as duckdbVersion } from '@duckdb/node-api';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { codeFrom, hashOfCode, readSource } from './serving/maker.ts';

type Bound = NonNullable<Manifest['bound']>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Every stage is reached from here; the command line is not part of it. */
const ENTRY = 'pipeline/run/run.ts';

/** Reviewed files that decide on content and that no stage records by itself, by the name that the statement gives them. */
const READ_BY_NAME = {
  countries: 'data/rules/countries.json',
  'country-codes': 'data/rules/country-codes.json',
  'publication-checks': 'data/rules/publication-checks.json',
  topics: 'data/topics.json',
};
/** Those that a stage records as it applied them, or that the packed terminology holds. */
const RECORDED = ['data/rules/dedup.json', 'data/rules/synonyms.json', 'data/lexicons', 'data/terminology'];

let sources: Promise<{ sha256: string; paths: string[] }> | undefined;

/** This program; `given` is the commit that the operator names, for a program outside a checkout. */
export async function programCode(given: string | null): Promise<Bound['code']> {
  sources ??= readSources();
  const { sha256, paths } = await sources;
  const found = await checkout([...paths, ...Object.values(READ_BY_NAME), ...RECORDED]);
  return {
    ...(found ?? { commit: given, changed: null }),
    sources: sha256,
    node: process.versions.node,
    duckdb: duckdbVersion(),
  };
}

async function readSources(): Promise<{ sha256: string; paths: string[] }> {
  const { sources: read } = await codeFrom(ENTRY, readSource);
  return { sha256: await hashOfCode(readSource, ENTRY), paths: [...read.keys()] };
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

/** The commit that runs; null where it is not known. */
export async function commitOf(given: string | null): Promise<string | null> {
  return (await checkout([]))?.commit ?? given;
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
