import type { CorpusDump } from './corpus.ts';
import type { InServer } from './in-server.ts';
import type { IndexStart } from './index-servers.ts';
import { type Figures, type SnapshotBytes, STAGES, type Stage, together } from './stages.ts';

/** Cost at one size of the corpus; a figure is null when its step failed. */
export interface CurveRow {
  percent: number;
  registrations: number;
  rawBytes: number;
  /** normalise, dedup and publish. */
  pipelineSeconds: number | null;
  pipelineCpuSeconds: number | null;
  /** Of the largest stage, fetch included. */
  peakRssMb: number | null;
  snapshotBytes: number | null;
  indexReadyMs: number | null;
  /** At the start. */
  indexRssMb: number | null;
  indexPrivateMb: number | null;
  /** In the server, mixed queries. */
  searchP50Ms: number | null;
  searchP99Ms: number | null;
}

export interface CurveParts {
  percent: number;
  dump: Pick<CorpusDump, 'facts' | 'rawBytes'>;
  stages: Partial<Record<Stage, Figures>>;
  snapshot: SnapshotBytes | null;
  start: IndexStart | null;
  inServer: Pick<InServer, 'calls'> | null;
}

export function curveRow({ percent, dump, stages, snapshot, start, inServer }: CurveParts): CurveRow {
  const sum = together(stages, ['normalise', 'dedup', 'publish']);
  const search = inServer?.calls['search, mixed'] ?? null;
  return {
    percent,
    registrations: dump.facts.ctgov + dump.facts.isrctn,
    rawBytes: dump.rawBytes,
    pipelineSeconds: sum?.seconds ?? null,
    pipelineCpuSeconds: sum?.cpuSeconds ?? null,
    peakRssMb: together(stages, STAGES)?.peakRssMb ?? null,
    snapshotBytes: snapshot?.total ?? null,
    indexReadyMs: start?.readyMs ?? null,
    indexRssMb: start?.memory.rssMb ?? null,
    indexPrivateMb: start?.memory.privateMb ?? null,
    searchP50Ms: search?.p50Ms ?? null,
    searchP99Ms: search?.p99Ms ?? null,
  };
}
