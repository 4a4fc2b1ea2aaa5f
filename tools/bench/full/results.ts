import type { machine } from '../report.ts';
import type { CorpusFacts } from './corpus.ts';
import type { InServer } from './in-server.ts';
import type { IndexStart, OverHttp } from './index-servers.ts';
import type { KeyedRead, KeyedReadFigures } from './keyed-reads.ts';
import type { LoadResult } from './load.ts';
import type { MachineLimits } from './machine-limits.ts';
import type { FullOptions, OptionalStep } from './options.ts';
import type { BoardFigures, RivalFigures, ScaleFigures } from './other-benches.ts';
import type { Figures, SnapshotBytes, Stage } from './stages.ts';
import type { Failure } from './steps.ts';

/** One target of full scale and what was measured. */
export interface TargetRow {
  what: string;
  target: string;
  /** With its unit; the reason when it is missing. */
  measured: string;
  /** Null when nothing was measured or there is no limit. */
  met: boolean | null;
  /** Largest resident set of the measured process, MB; null when unknown. */
  peakRssMb: number | null;
}

/** Results of one full run. A value that was not measured is null, and `failures` says why. */
export interface FullResults {
  machine: ReturnType<typeof machine>;
  startedAt: string;
  /** Versions of the packages that the figures depend on. */
  versions: Record<string, string>;
  /** Commit of the checkout, with the suffix `-dirty` when files differ; null outside a checkout. */
  commit: string | null;
  options: Omit<FullOptions, 'corpus' | 'json' | 'keep'>;
  corpus: (CorpusFacts & { rawBytes: number; diskBytes: number; madeInSeconds: number | null }) | null;
  stages: Partial<Record<Stage, Figures>>;
  day: { records: number | null; stages: Partial<Record<Stage, Figures>> };
  diff: Figures | null;
  verify: Figures | null;
  snapshot: SnapshotBytes | null;
  start: IndexStart | null;
  inServer: (Omit<InServer, 'queries' | 'ids'> & { peakRssMb: number | null }) | null;
  overHttp: OverHttp | null;
  keyedReads: Record<KeyedRead, KeyedReadFigures> | null;
  load: LoadResult | null;
  board: BoardFigures | null;
  boardScale: ScaleFigures | null;
  rivals: RivalFigures | null;
  limits: MachineLimits | null;
  targets: TargetRow[];
  failures: Failure[];
  skipped: OptionalStep[];
}
