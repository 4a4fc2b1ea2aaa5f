import { againstBareTable } from '../against-bare.ts';
import type { Client } from '../client.ts';
import { type HttpLoad, offeredRow } from '../latency.ts';
import { number } from '../report.ts';
import type { FullResults } from './results.ts';
import { DAY_STAGES, STAGES, type Stage } from './stages.ts';

const MB = 1e6;
const WORD = { true: 'yes', false: 'NO', null: '' } as const;

/** The results as markdown for a terminal and a page. */
export function fullTable(results: FullResults): string {
  const parts = [
    head(results),
    targets(results),
    stages(results),
    snapshot(results),
    memory(results),
    searches(results),
    overHttp(results),
    keyedReads(results),
    results.againstBare === null ? [] : againstBareTable(results.againstBare),
    load(results),
    boardScale(results),
    rivals(results),
    limits(results),
    curve(results),
    failures(results),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): string[] {
  if (body.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...body.map(line)];
}

function head({ machine, versions, commit, options, corpus, startedAt }: FullResults): string[] {
  const size = corpus === null ? 'no corpus' : `${corpus.ctgov} + ${corpus.isrctn} registrations`;
  const bytes =
    corpus === null
      ? ''
      : `, ${number(corpus.rawBytes / MB, 0)} MB raw in ${number(corpus.diskBytes / MB, 0)} MB of dumps`;
  return [
    `${size} (${options.percent} %), seed ${options.seed}${bytes}`,
    '',
    `${machine.cores} x ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}; ${startedAt}, commit ${commit ?? 'unknown'}`,
    '',
    `corpus ${corpus?.sha256 ?? 'unknown'}; ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
  ];
}

function targets({ targets: found }: FullResults): string[] {
  return rows(
    ['what', 'target', 'measured', 'met', 'peak RSS, MB'],
    found.map(({ what, target, measured, met, peakRssMb }) => [
      what,
      target,
      measured.split('\n')[0]!,
      WORD[`${met}`],
      number(peakRssMb, 0),
    ]),
  );
}

function stages({ stages: run, day, diff, checks, serialised, verify }: FullResults): string[] {
  const named = [
    ...STAGES.map((stage): [string, (typeof run)[Stage]] => [stage, run[stage]]),
    ...DAY_STAGES.map((stage): [string, (typeof run)[Stage]] => [`a day's change: ${stage}`, day.stages[stage]]),
    ['diff', diff ?? undefined] as const,
    ["the gate's checks of content", checks ?? undefined] as const,
    ['normalise, all studies serialised anew', serialised ?? undefined] as const,
    ['verify', verify ?? undefined] as const,
  ];
  return rows(
    ['stage', 'seconds', 'CPU seconds', 'peak RSS, MB', 'taken by the host, %'],
    named.flatMap(([name, one]) =>
      one
        ? [
            [
              name,
              number(one.seconds),
              number(one.cpuSeconds),
              number(one.peakRssMb, 0),
              number(one.takenShare && one.takenShare * 100),
            ],
          ]
        : [],
    ),
  );
}

function snapshot({ snapshot: found, corpus }: FullResults): string[] {
  if (found === null || corpus === null) return [];
  const line = (name: string, bytes: number): string[] => [
    name,
    number(bytes / MB),
    `${number((bytes / corpus.rawBytes) * 100, 2)} %`,
  ];
  return rows(
    ['part of the snapshot', 'MB', 'of the raw bytes'],
    [
      ...Object.entries(found.tables).map(([name, bytes]) => line(name, bytes)),
      ...Object.entries(found.serving).map(([name, bytes]) => line(name, bytes)),
      line('together', found.total),
    ],
  );
}

function memory({ start, sharing }: FullResults): string[] {
  const line = (name: string, one: { rssMb: number | null; privateMb: number | null; sharedMb: number | null }) => [
    name,
    number(one.rssMb, 0),
    number(one.privateMb, 0),
    number(one.sharedMb, 0),
  ];
  return rows(
    ['index server', 'RSS, MB', 'private, MB', 'shared, MB'],
    [
      ...(start ? [line(`at start, ready in ${number(start.readyMs, 0)} ms`, start.memory)] : []),
      ...(sharing ?? []).map((one, place) => line(`${place + 1} of ${sharing?.length} on one snapshot`, one)),
    ],
  );
}

function searches({ inServer }: FullResults): string[] {
  return rows(
    ['in the server', 'p50, ms', 'p99, ms', 'calls'],
    Object.entries(inServer?.calls ?? {}).map(([name, { p50Ms, p99Ms, count }]) => [
      name,
      number(p50Ms, 3),
      number(p99Ms, 3),
      String(count),
    ]),
  );
}

function overHttp({ overHttp: found }: FullResults): string[] {
  if (found === null) return [];
  type Line = Pick<HttpLoad, 'requestsPerSecond' | 'p50Ms' | 'p99Ms' | 'failed'> & { client: Client };
  const line = (name: string, one: Line): string[] => [
    name,
    one.client,
    number(one.requestsPerSecond, 0),
    number(one.p50Ms),
    number(one.p99Ms),
    String(one.failed),
  ];
  return rows(
    ['over HTTP, 16 connections', 'client', 'requests/s', 'p50, ms', 'p99, ms', 'failed'],
    [
      ...Object.entries(found.closed).map(([name, one]) => line(name, one)),
      ...(found.wrk ? [line('search, mixed', found.wrk)] : []),
      line(offeredRow('search, mixed', found.steady), found.steady),
      line(offeredRow('search, mixed', found.half), found.half),
    ],
  );
}

function keyedReads({ keyedReads: found }: FullResults): string[] {
  const ms = ({ p50Ms, p99Ms }: Pick<HttpLoad, 'p50Ms' | 'p99Ms'>): string => `${number(p50Ms)} / ${number(p99Ms)}`;
  return rows(
    [
      ...['read by registration', 'first after a start, ms', 'one client: requests/s', 'p50 / p99, ms'],
      ...['16 connections: requests/s', 'p50 / p99, ms', 'failed'],
      ...['beside searches: p50 / p99, ms', 'searches beside it', 'searches alone'],
    ],
    Object.entries(found ?? {}).map(([name, { firstMs, single, many, beside }]) => [
      ...[name, number(firstMs), number(single.requestsPerSecond, 0), ms(single)],
      ...[number(many.requestsPerSecond, 0), ms(many), String(single.failed + many.failed)],
      ...[ms(beside.read), ms(beside.search), ms(beside.searchAlone)],
    ]),
  );
}

function load({ load: found }: FullResults): string[] {
  if (found === null) return [];
  const { load: all, memory: held, swaps, seconds, peakPerSecond } = found;
  const kinds = Object.entries(all.kinds).map(([kind, { p50Ms, p99Ms, count }]) => [
    kind,
    number(p50Ms),
    number(p99Ms),
    String(count),
  ]);
  return [
    `Mixed reads for ${number(seconds, 0)} s at ${all.offeredPerSecond} a second (peak ${number(peakPerSecond, 0)}), ${swaps} snapshot swaps, ${all.failed} errors; private memory ${number(held.start.privateMb, 0)} MB at the start, ${number(held.end.privateMb, 0)} MB at the end.`,
    '',
    ...rows(
      ['read', 'p50, ms', 'p99, ms', 'answers'],
      [...kinds, ['all', number(all.p50Ms), number(all.p99Ms), String(all.count)]],
    ),
  ];
}

function boardScale({ boardScale: found }: FullResults): string[] {
  if (found === null) return [];
  const { sizes, readyMs, subscriptions: told } = found;
  const body = Object.entries(found.reads).map(([name, { p50Ms, p99Ms, count, failed }]) => [
    name,
    number(p50Ms),
    number(p99Ms),
    String(count),
    String(failed),
  ]);
  const size = `board of ${sizes.events} events and ${sizes.findings} findings`;
  return [
    ...rows([size, 'p50, ms', 'p99, ms', 'answers', 'failed'], body),
    '',
    `It listened after ${number(readyMs, 0)} ms. One event for ${sizes.webhooks} subscriptions: ${told.deliveries} deliveries in ${number(told.seconds)} s, ${number(told.cpuSeconds)} s of CPU; writes meanwhile p50 ${number(told.writes.p50Ms)} ms, p99 ${number(told.writes.p99Ms)} ms.`,
  ];
}

function rivals({ rivals: found }: FullResults): string[] {
  if (found === null) return [];
  const body = found.rivals.flatMap(({ name, works }) =>
    Object.entries(works).map(([work, one]) => [
      work,
      name,
      number(one.latency.p50Ms, 3),
      number(one.ours.p50Ms, 3),
      number(one.ratioP50),
      `${one.differing} of ${one.asked}`,
    ]),
  );
  const left = Object.entries(found.skipped).map(([name, why]) => `${name} is left out: ${why}`);
  return [...rows(['question', 'engine', 'p50, ms', 'ours, ms', 'times ours', 'answers that differ'], body), ...left];
}

function limits({ limits: found }: FullResults): string[] {
  if (found === null) return [];
  const { bareServer: bare } = found;
  return rows(
    ['the machine, one thread', 'at most'],
    [
      ['SHA-256, GB/s', number(found.sha256GbPerSecond)],
      ['copying in memory, GB/s', number(found.copyGbPerSecond)],
      ['reading 32-bit numbers in JavaScript, GB/s', number(found.scanGbPerSecond)],
      ['writing a file of 2 GiB with its sync, GB/s', number(found.writeGbPerSecond)],
      ['writes of 4 kB, each synced, a second', number(found.syncsPerSecond, 0)],
      ['a start of Node that does nothing, ms', number(found.nodeStartMs, 0)],
      ['bare node:http, start to listening, ms', number(bare.readyMs, 0)],
      ['bare node:http, private memory, MB', number(bare.privateMb, 0)],
      ['bare node:http, one body of 34 kB, requests/s', number(bare.requestsPerSecond, 0)],
      [offeredRow('p99 of the same in ms', bare.half), number(bare.half.p99Ms)],
    ],
  );
}

function curve({ curve: points }: FullResults): string[] {
  return rows(
    [
      '% of the registries',
      'registrations',
      'raw, MB',
      'pipeline, s',
      'peak RSS, MB',
      'snapshot, MB',
      'ready, ms',
      'RSS / private, MB',
      'search p50 / p99, ms',
    ],
    points.map((row) => [
      String(row.percent),
      String(row.registrations),
      number(row.rawBytes / MB, 0),
      number(row.pipelineSeconds),
      number(row.peakRssMb, 0),
      number(row.snapshotBytes === null ? null : row.snapshotBytes / MB, 0),
      number(row.indexReadyMs, 0),
      `${number(row.indexRssMb, 0)} / ${number(row.indexPrivateMb, 0)}`,
      `${number(row.searchP50Ms, 3)} / ${number(row.searchP99Ms, 3)}`,
    ]),
  );
}

function failures({ failures: found, skipped }: FullResults): string[] {
  return [
    ...found.map(({ step, reason }) => `${step} failed: ${reason.split('\n')[0]}`),
    ...(skipped.length > 0 ? [`left out: ${skipped.join(', ')}`] : []),
  ];
}
