import { SEARCHES } from '../board-scale/reads.ts';
import { KEYED_READS, type KeyedRead } from './keyed-reads.ts';
import type { FullResults, TargetRow } from './results.ts';
import { DAY_STAGES, STAGES, together } from './stages.ts';

/** A limit with its direction, the measured value in the same unit, and the step that measures it. */
interface Rule {
  what: string;
  step: string;
  /** Null where the design gives none. */
  limit: number | null;
  least?: true;
  unit: string;
  digits?: number;
  value: number | null | undefined;
  peakRssMb: number | null | undefined;
}

/** Searches beyond words, with the most milliseconds that each may take. */
const EXPANDED = [
  { name: 'search by relevance, common', limit: 3 },
  { name: 'search by relevance, mixed', limit: 3 },
  { name: 'search by concepts, natural', limit: 8 },
  { name: 'search by concepts and relevance, natural', limit: 8 },
  { name: 'few results, misspelt', limit: 5 },
] as const;
const PIPELINE = ['normalise', 'dedup', 'publish'] as const;
/** Private memory may move this much between the first and the last third of the load. */
const GROWTH_SHARE = 0.1;
/** The limit of the memory's growth under load is a share, so that it does not depend on the corpus. */
const PER_CENT = 100;

/** The rows in the order of the design, judged at the size that was run. */
export function targetRows(results: FullResults): TargetRow[] {
  const rules = [
    ...pipelineRules(results),
    ...indexRules(results),
    ...httpRules(results),
    ...keyedRules(results),
    ...otherRules(results),
  ];
  return rules.map((rule) => judged(rule, results));
}

function judged(rule: Rule, { failures, skipped }: Pick<FullResults, 'failures' | 'skipped'>): TargetRow {
  const { what, step, limit, least, unit, value, digits = 1 } = rule;
  const target = limit === null ? 'none' : `${least ? '>=' : '<='} ${limit.toLocaleString('en-GB')} ${unit}`;
  const peakRssMb = rule.peakRssMb ?? null;
  if (value === null || value === undefined || Number.isNaN(value)) {
    const failure = failures.find((one) => one.step === step);
    const reason = failure
      ? `failed: ${failure.reason}`
      : skipped.some((one) => one === step)
        ? 'left out'
        : 'not measured';
    return { what, target, measured: reason, met: null, peakRssMb };
  }
  const met = limit === null ? null : least ? value >= limit : value <= limit;
  return { what, target, measured: `${value.toFixed(digits)} ${unit}`, met, peakRssMb };
}

function pipelineRules({ stages, day, failures, diff, verify }: FullResults): Rule[] {
  const sum = together(stages, PIPELINE);
  const all = together(stages, STAGES);
  const change = together(day.stages, DAY_STAGES);
  const step = failures.find((failure) => STAGES.some((stage) => stage === failure.step))?.step ?? 'publish';
  return [
    {
      what: 'normalise + dedup + publish',
      step,
      limit: 600,
      unit: 's',
      value: sum?.seconds,
      peakRssMb: sum?.peakRssMb,
    },
    {
      what: 'largest peak RSS of a stage',
      step,
      limit: 4096,
      unit: 'MB',
      digits: 0,
      value: all?.peakRssMb,
      peakRssMb: all?.peakRssMb,
    },
    {
      what: `a day's change, ${day.records ?? '?'} records: normalise + dedup + publish`,
      step: 'day',
      limit: 360,
      unit: 's',
      value: change?.seconds,
      peakRssMb: change?.peakRssMb,
    },
    {
      what: 'diff of two snapshots',
      step: 'diff',
      limit: 30,
      unit: 's',
      value: diff?.seconds,
      peakRssMb: diff?.peakRssMb,
    },
    { what: 'verify', step: 'verify', limit: null, unit: 's', value: verify?.seconds, peakRssMb: verify?.peakRssMb },
  ];
}

function indexRules({ start, inServer }: FullResults): Rule[] {
  const peakRssMb = inServer?.peakRssMb;
  const searches = inServer?.calls['search, mixed'];
  const call = (name: string): Rule => ({
    what: `${name}, p99 in the server`,
    step: 'in-server',
    limit: 10,
    unit: 'ms',
    digits: 3,
    value: inServer?.calls[name]?.p99Ms,
    peakRssMb,
  });
  const inside = { step: 'in-server', unit: 'ms', digits: 3, peakRssMb } as const;
  const peak = start?.memory.peakRssMb;
  return [
    {
      what: 'index start to ready',
      step: 'start',
      limit: 1000,
      unit: 'ms',
      digits: 0,
      value: start?.readyMs,
      peakRssMb: peak,
    },
    {
      what: 'index private memory at start',
      step: 'start',
      limit: 400,
      unit: 'MB',
      digits: 0,
      value: start?.memory.privateMb,
      peakRssMb: peak,
    },
    { what: 'search, mixed, p50 in the server', limit: 0.3, value: searches?.p50Ms, ...inside },
    { what: 'search, mixed, p99 in the server', limit: 3, value: searches?.p99Ms, ...inside },
    ...EXPANDED.map(({ name, limit }) => ({ ...call(name), limit })),
    ...['coverage, mixed', 'coverage, whole corpus', 'landscape, mixed', 'landscape, whole corpus'].map(call),
  ];
}

function httpRules({ overHttp, load }: FullResults): Rule[] {
  const http = { step: 'http', peakRssMb: overHttp?.memory.peakRssMb } as const;
  const loaded = { step: 'load', peakRssMb: load?.memory.peakRssMb } as const;
  const growth = load?.memory.growth;
  return [
    {
      what: 'HTTP search, one process',
      limit: 5000,
      least: true,
      unit: 'requests/s',
      digits: 0,
      value: overHttp?.closed['search, mixed']?.requestsPerSecond,
      ...http,
    },
    {
      what: `HTTP search, p99 at ${overHttp ? overHttp.steady.offeredPerSecond : 'half of that'} offered a second`,
      limit: 20,
      unit: 'ms',
      value: overHttp?.steady.p99Ms,
      ...http,
    },
    {
      what: 'errors of the mixed load with swaps',
      limit: 0,
      unit: 'errors',
      digits: 0,
      value: load?.load.failed,
      ...loaded,
    },
    {
      what: "growth of the server's private memory in it",
      limit: GROWTH_SHARE * PER_CENT,
      unit: '%',
      value: growth === null || growth === undefined ? null : growth * PER_CENT,
      ...loaded,
    },
  ];
}

/** Rate and p99 of each read by registration. */
function keyedRules({ keyedReads }: FullResults): Rule[] {
  const step = 'keyed-reads';
  return (Object.keys(KEYED_READS) as KeyedRead[]).flatMap((name): Rule[] => {
    const found = keyedReads?.[name];
    const shared = { step, peakRssMb: null } as const;
    return [
      {
        what: `${name}, 16 connections`,
        limit: 100,
        least: true,
        unit: 'requests/s',
        digits: 0,
        value: found?.many.requestsPerSecond,
        ...shared,
      },
      { what: `${name}, 16 connections, p99`, limit: 150, unit: 'ms', value: found?.many.p99Ms, ...shared },
    ];
  });
}

function otherRules({ board, boardScale, rivals }: FullResults): Rule[] {
  const postgres = rivals?.rivals.find(({ name }) => name.toLowerCase().startsWith('postgres'));
  const boardRows = { step: 'board', peakRssMb: board?.memory.rssMb } as const;
  const scaleRows = { step: 'board-scale', unit: 'ms', peakRssMb: boardScale?.memory.rssMb } as const;
  const slowest = (searches: boolean): { name: string; p99Ms: number } | undefined =>
    Object.entries(boardScale?.reads ?? {})
      .filter(([name]) => SEARCHES.has(name) === searches)
      .map(([name, { p99Ms }]) => ({ name, p99Ms }))
      .sort((one, other) => other.p99Ms - one.p99Ms)[0];
  const [read, search] = [slowest(false), slowest(true)];
  return [
    {
      what: 'search, mixed, times faster than PostgreSQL at p50',
      step: 'rivals',
      limit: 20,
      least: true,
      unit: 'times',
      value: postgres?.works['search, mixed']?.ratioP50,
      peakRssMb: null,
    },
    {
      what: 'durable claims over HTTP',
      limit: 1500,
      least: true,
      unit: 'claims/s',
      digits: 0,
      value: board?.claims.requestsPerSecond,
      ...boardRows,
    },
    {
      what: `feed page, p99 with ${board ? board.feed.events.toLocaleString('en-GB') : '1,000,000'} events at ${board ? board.feedSteady.offeredPerSecond : 1000} offered a second`,
      limit: 10,
      unit: 'ms',
      value: board?.feedSteady.p99Ms,
      ...boardRows,
    },
    {
      what: `slowest read of a filled board, p99${read ? `: ${read.name}` : ''}`,
      limit: 10,
      value: read?.p99Ms,
      ...scaleRows,
    },
    {
      what: `slowest search of a filled board, p99${search ? `: ${search.name}` : ''}`,
      limit: 20,
      value: search?.p99Ms,
      ...scaleRows,
    },
  ];
}
