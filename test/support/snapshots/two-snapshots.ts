import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { CURRENT_FILE, VERSION_PATTERN } from '../../../snapshot/format/versions/current-file.ts';
import { MANIFEST_FILE } from '../../../snapshot/format/versions/manifest.ts';
import { unlistedFiles } from '../../../snapshot/format/versions/statement.ts';

const SAMPLE = readdirSync(inject('sampleSnapshots')).find((name) => VERSION_PATTERN.test(name))!;
/** The end of its name comes from its identity, which neither its time nor its name is part of. */
const IDENTITY = SAMPLE.slice(-8);
export const OLDER = `20261120T031500Z-${IDENTITY}`;
export const NEWER = `20261121T031500Z-${IDENTITY}`;

/** The sample published under two names; CURRENT names the newer. */
export function twoSnapshots() {
  const snapshotsDir = mkdtempSync(join(tmpdir(), 'damaged-snapshots-'));
  for (const version of [OLDER, NEWER]) {
    const dir = join(snapshotsDir, version);
    cpSync(join(inject('sampleSnapshots'), SAMPLE), dir, { recursive: true });
    const manifest = { ...JSON.parse(readFileSync(join(dir, MANIFEST_FILE), 'utf8')), version };
    for (const { path, content } of unlistedFiles(manifest, JSON.stringify(manifest)))
      writeFileSync(join(dir, path), content);
  }
  writeFileSync(join(snapshotsDir, CURRENT_FILE), `${NEWER}\n`);
  return {
    snapshotsDir,
    path: (version: string, file: string) => join(snapshotsDir, version, file),
    [Symbol.dispose]: () => rmSync(snapshotsDir, { recursive: true }),
  };
}
