import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { CURRENT_FILE, VERSION_PATTERN } from '../../../snapshot/format/versions/current-file.ts';
import { RUN_FILE } from '../../../snapshot/format/versions/own-files.ts';

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
    const createdAt = version === OLDER ? '2026-11-20T03:15:00.000Z' : '2026-11-21T03:15:00.000Z';
    const run = { ...JSON.parse(readFileSync(join(dir, RUN_FILE), 'utf8')), createdAt };
    writeFileSync(join(dir, RUN_FILE), JSON.stringify(run));
  }
  writeFileSync(join(snapshotsDir, CURRENT_FILE), `${NEWER}\n`);
  return {
    snapshotsDir,
    path: (version: string, file: string) => join(snapshotsDir, version, file),
    [Symbol.dispose]: () => rmSync(snapshotsDir, { recursive: true }),
  };
}
