import { describe, expect, test } from 'vitest';
import { emptyManifest } from '../../../test/builders/manifest.ts';
import type { Manifest } from './manifest.ts';
import { identityFault, identityOf, statementOf, statementText } from './statement.ts';

const HASH = '0'.repeat(64);
const OTHER = '1'.repeat(64);
/** SHA-256(0x00 || what is bound of the one input), computed apart. */
const INPUTS = '68e0803f248c156257ca5862a07a51715d786b9dde1d134fea279b6e4990c140';
/** Merkle root over the entry of the one file. */
const FILES = 'd7e971a334f67bb6c5c776aa02a25846996a5085338b14c254237a4b48140311';

const bound: Manifest['bound'] = {
  ...{ parent: null, ledger: HASH, rules: [{ name: 'data/rules/dedup.json', sha256: HASH }] },
  code: { version: 1, commit: null, node: '24.0.0', duckdb: 'v1.5.5' },
};

/** A manifest with one input, one feed and one file of an image. */
function manifest(): Manifest {
  const empty = emptyManifest('20261121T031500Z-00000000');
  const [ctgov, isrctn] = empty.registries as [Manifest['registries'][0], Manifest['registries'][0]];
  const input = { run: '20261121T031000Z-full', origin: 'https://example.org', name: 'page-000001.json.gz', url: null };
  const inputs = [{ ...input, receivedAt: '2026-11-21T03:11:00.000Z', sha256: HASH, records: 5 }];
  const feed = { feed: 'a-feed', publisher: 'A', items: 2, lastSuccessAt: null, lastAttemptAt: null };
  return {
    ...empty,
    bound,
    registries: [{ ...ctgov, inputs }, isrctn],
    feeds: [
      { ...feed, state: 'answered', sha256: HASH, stale: false, reason: null, refused: 0, undated: 0, future: 0 },
    ],
    serving: { imageVersion: 1, files: [{ path: 'serving/ids.arrow', bytes: 3, sha256: HASH }] },
  };
}

const textOf = (of: Manifest): string => statementText(statementOf(of));
const identified = (of: Manifest): Manifest => ({ ...of, identity: identityOf(textOf(of)) });

describe('the identity', () => {
  test('is the SHA-256 of the statement, which is JSON by RFC 8785', () => {
    expect(textOf(manifest())).toBe(
      '{"asOf":"2026-11-21","changes":null,"code":{"commit":null,"duckdb":"v1.5.5","node":"24.0.0","version":1},' +
        `"corpus":"registries","feeds":[{"feed":"a-feed","items":2,"sha256":"${HASH}","stale":false,"state":"answered"}],` +
        `"files":{"bytes":3,"count":2,"root":"${FILES}"},"format":"trial-board-snapshot/4","imageVersion":1,"inputs":{"files":1,"records":5,"root":"${INPUTS}"},"ledger":"${HASH}","parent":null,"registries":[` +
        ['clinicaltrials_gov', 'isrctn']
          .map(
            (registry) =>
              '{"complete":true,"dataTimestamp":null,"degraded":false,"dumpDay":null,"expectedRecords":null,"quarantined":0,' +
              `"registrations":0,"registry":"${registry}","source":"live","stale":false,"state":"answered","superseded":0}`,
          )
          .join(',') +
        `],"rules":[{"name":"data/rules/dedup.json","sha256":"${HASH}"}],"tables":{` +
        ['canonical_ids', 'identifiers', 'links', 'publications', 'quarantine', 'raw', 'registrations', 'relations']
          .concat('signals', 'trials')
          .map((table) => `"${table}":{"root":"${HASH}","rows":0}`)
          .join(',') +
        '}}',
    );
    expect(identityOf('islet')).toBe('cd0aecc5f13dff933b9b78eabb7216d877bd25a3f5b7120f132d28cac9ac0c65');
  });

  // A proof holds the whole statement, and a live run reads hundreds of pages.
  test('is of a text that does not grow with the number of inputs, and binds their order', () => {
    const live = manifest();
    const [input] = live.registries[0]!.inputs;
    const pages = Array.from({ length: 700 }, (_, page) => ({ ...input!, records: 1000 + page }));
    live.registries[0]!.inputs = pages;
    expect(textOf(live).length - textOf(manifest()).length).toBe(
      '700'.length - '1'.length + '944650'.length - '5'.length,
    );
    expect(statementOf(live).inputs).toMatchObject({ files: 700, records: 944_650 });
    const before = textOf(live);
    live.registries[0]!.inputs = pages.toReversed();
    expect(textOf(live)).not.toBe(before);
  });

  // What a forger may change without being noticed, and what makes two runs of the same inputs differ.
  test.each<[string, (of: Manifest) => unknown]>([
    ['the name', (of) => (of.version = '20261122T031500Z-11111111')],
    ['the time of the publication', (of) => (of.createdAt = '2026-11-22T03:15:00Z')],
    ['the name of the parent', (of) => (of.parent = '20261120T031500Z-22222222')],
    [
      'the time at which a file was received',
      (of) => (of.registries[0]!.inputs[0]!.receivedAt = '2026-11-22T00:00:00Z'),
    ],
    ['the time of an attempt', (of) => (of.registries[0]!.lastAttemptAt = '2026-11-22T03:15:00Z')],
    ['the folder and address of an input', (of) => Object.assign(of.registries[0]!.inputs[0]!, { run: 'x', url: 'y' })],
    ['the time at which a feed was asked', (of) => (of.feeds![0]!.lastSuccessAt = '2026-11-22T03:15:00Z')],
  ])('does not bind %s', (_, change) => {
    const changed = manifest();
    change(changed);
    expect(textOf(changed)).toBe(textOf(manifest()));
  });

  test.each<[string, (of: Manifest) => unknown]>([
    ['the root of a table', (of) => (of.tables.trials = { ...of.tables.trials, root: OTHER })],
    ['the rows of a table', (of) => (of.tables.trials = { ...of.tables.trials, rows: 1 })],
    ['a file of the image', (of) => (of.serving.files[0]!.sha256 = OTHER)],
    ['the version of the image', (of) => (of.serving.imageVersion = 2)],
    ['an input', (of) => (of.registries[0]!.inputs[0]!.sha256 = OTHER)],
    ['the count of a registry', (of) => (of.registries[1]!.registrations = 1)],
    ['whether a registry is complete', (of) => (of.registries[1]!.complete = false)],
    ['whether a registry is degraded', (of) => (of.registries[1]!.degraded = true)],
    ['the day of a dump', (of) => (of.registries[1]!.dumpDay = { day: '2026-11-20', from: 'given' })],
    ['the answer of a feed', (of) => (of.feeds![0]!.sha256 = OTHER)],
    ['the as-of day', (of) => (of.asOf = '2026-11-20')],
    ['the corpus', (of) => (of.corpus = 'sample')],
    ['a rule', (of) => (of.bound = { ...bound, rules: [{ name: 'data/rules/dedup.json', sha256: OTHER }] })],
    ['the parent', (of) => (of.bound = { ...bound, parent: OTHER })],
    ['the stored changes', (of) => (of.storedChanges = { rows: 0, bytes: 0, files: [], root: OTHER })],
    ['the ledger', (of) => (of.bound = { ...bound, ledger: OTHER })],
    ['the version of the content', (of) => (of.bound = { ...bound, code: { ...bound.code, version: 2 } })],
    [
      'a file of a table, with an equal root',
      (of) => (of.tables.trials = { ...of.tables.trials, files: [{ path: 'trials.parquet', bytes: 1, sha256: HASH }] }),
    ],
    ['a tree', (of) => (of.proofs = [{ path: 'proofs/trials.tree', bytes: 1, sha256: HASH }])],
    ['the commit', (of) => (of.bound = { ...bound, code: { ...bound.code, commit: '1'.repeat(40) } })],
    ['the version of Node', (of) => (of.bound = { ...bound, code: { ...bound.code, node: '24.0.1' } })],
    ['the version of DuckDB', (of) => (of.bound = { ...bound, code: { ...bound.code, duckdb: 'v1.5.6' } })],
  ])('binds %s', (_, change) => {
    const changed = manifest();
    change(changed);
    expect(textOf(changed)).not.toBe(textOf(manifest()));
  });
});

test('an identity that does not follow from its manifest is named', () => {
  const sound = identified(manifest());
  expect(identityFault(sound)).toBeNull();
  const forged = { ...sound, asOf: '2026-11-20' };
  expect(identityFault(forged)).toEqual({
    found: `identity ${sound.identity}`,
    expected: `${identityOf(textOf(forged))}, which follows from what the manifest states`,
  });
});
