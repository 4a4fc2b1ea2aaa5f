import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT, repositoryFiles } from '../../../test/support/tree.ts';
import { CONTENT_VERSION, programCode, rulesReadByName } from './program.ts';

test('the code is the commit of the checkout, and the versions of the content, Node and DuckDB', async () => {
  const code = await programCode('1'.repeat(40));
  const head = await promisify(execFile)('git', ['rev-parse', 'HEAD']).then(
    ({ stdout }) => stdout.trim(),
    () => '1'.repeat(40),
  );
  expect(code).toEqual({
    commit: head,
    version: CONTENT_VERSION,
    node: process.versions.node,
    duckdb: expect.stringMatching(/^v\d+\.\d+\.\d+$/),
  });
});

test('docs/snapshots.md names every reviewed file that a statement binds', async () => {
  const docs = await readFile(join(ROOT, 'docs/snapshots.md'), 'utf8');
  const named = docs.split('- **Rules** by name: ')[1]!.split('\n- **')[0]!;
  const names = (await rulesReadByName()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(4);
  const recorded = ['dedup', 'capitals', 'classes', 'feeds', 'terminology'];
  expect([...names, ...recorded].filter((name) => !named.includes(`\`${name}\``))).toEqual([]);
});

test('every reviewed file decides on content, so that the identity binds it, or is named here as one that does not', async () => {
  const reviewed = repositoryFiles().filter((path) =>
    /^data\/(?:topics\.json|(?:rules|lexicons|terminology|sources)\/.*\.(?:json|gz))$/.test(path),
  );
  const byStages = [
    'data/rules/dedup.json',
    'data/sources/feeds.json',
    'data/lexicons/capitals.json',
    'data/lexicons/classes.json',
  ];
  const inTerminology = [
    'data/rules/synonyms.json',
    'data/terminology/disease-ontology.json.gz',
    'data/terminology/mesh.json.gz',
  ];
  // The servers read these, and answers name their versions; no table and no image is made from them.
  const ofServers = ['confusables', 'exploration', 'modality', 'substances'].map((name) => `data/rules/${name}.json`);
  const unbound = [...ofServers, 'data/sources/registries.json'];
  const other = reviewed.filter((path) => ![...byStages, ...inTerminology, ...unbound].includes(path));
  const sums = await Promise.all(
    other.map(async (path) =>
      createHash('sha256')
        .update(await readFile(join(ROOT, path)))
        .digest('hex'),
    ),
  );
  expect((await rulesReadByName()).map(({ sha256 }) => sha256).sort()).toEqual(sums.sort());
});
