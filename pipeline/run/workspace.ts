import { join } from 'node:path';
import program from '../../package.json' with { type: 'json' };
import type { Config } from '../../server-kit/config/config.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';

export const SOURCES = ['live', 'dump', 'sample'] as const;
export type Source = (typeof SOURCES)[number];

/** Folders of a run. The synthetic corpus has a data directory of its own, so that it never mixes with real records. */
export interface Workspace {
  dataDir: string;
  snapshotsDir: string;
  corpus: Manifest['corpus'];
  /** Private keys that sign the log of publications; there need not be such a file. */
  signingKeyFile: string;
  codeVersion: string;
  /** Commit that the operator names, for a program outside a checkout. */
  codeCommit: string | null;
}

export function workspaceOf(config: Config, source: Source): Workspace {
  const sample = source === 'sample';
  return {
    dataDir: sample ? join(config.dataDir, 'work', 'sample') : config.dataDir,
    snapshotsDir: config.snapshotsDir,
    signingKeyFile: config.signingKeyFile,
    corpus: sample ? 'sample' : 'registries',
    codeVersion: codeVersion(),
    codeCommit: config.codeCommit,
  };
}

/** Rate and contact address of requests to registries and feeds. */
export function clientOptions({ fetchRatePerSecond: rate, contactEmail }: Config): { rate: number; contact?: string } {
  return { rate, ...(contactEmail === null ? {} : { contact: contactEmail }) };
}

/** Version of this program. */
export function codeVersion(): string {
  return program.version;
}
