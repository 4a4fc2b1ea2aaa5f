import type { Memory } from '../process.ts';
import type { machine } from '../report.ts';
import type { CorpusFacts } from './corpus.ts';
import type { CurveRow } from './curve.ts';
import type { InServer } from './in-server.ts';
import type { IndexStart, OverHttp } from './index-servers.ts';
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
  /** With its unit; why it is missing, where it is. */
  measured: string;
  /** Null where nothing was measured, or there is no limit. */
  met: boolean | null;
  /** Largest resident set of what did the work, MB; null where not known. */
  peakRssMb: number | null;
}

/** Everything that one full run found; null is not measured, and `failures` says why. */
export interface FullResults {
  machine: ReturnType<typeof machine>;
  startedAt: string;
  /** Of the packages that the figures depend on. */
  versions: Record<string, string>;
  /** Of the checkout; `-dirty` behind it where files differ. Null outside one. */
  commit: string | null;
  options: Omit<FullOptions, 'corpus' | 'json' | 'keep'>;
  corpus: (CorpusFacts & { rawBytes: number; diskBytes: number; madeInSeconds: number | null }) | null;
  stages: Partial<Record<Stage, Figures>>;
  day: { records: number | null; stages: Partial<Record<Stage, Figures>> };
  diff: Figures | null;
  verify: Figures | null;
  snapshot: SnapshotBytes | null;
  start: IndexStart | null;
  sharing: Memory[] | null;
  inServer: (Omit<InServer, 'queries' | 'ids'> & { peakRssMb: number | null }) | null;
  overHttp: OverHttp | null;
  load: LoadResult | null;
  board: BoardFigures | null;
  boardScale: ScaleFigures | null;
  rivals: RivalFigures | null;
  limits: MachineLimits | null;
  curve: CurveRow[];
  targets: TargetRow[];
  failures: Failure[];
  skipped: OptionalStep[];
}
