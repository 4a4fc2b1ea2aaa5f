import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { type FetchLog, recordsHeld, SourceFault } from './fetch-log.ts';
import { type Answer, type RegistryClient, UnsoundBody } from './http-client.ts';
import { countRecords, type LiveFetch, type LiveRun, liveFetch } from './live-run.ts';
import { XmlSlicer } from './xml-slicer.ts';

const REGISTRY = 'isrctn';
/** The registry opened in 2000; nothing in it was edited earlier. */
const FIRST_DAY = '2000-01-01';
const DEFAULT_LIMIT = 250;
/** A single second with more than `limit` records is asked for in one request, up to this many times the limit. */
const MAX_LIMIT_FACTOR = 20;
const SECOND_MS = 1_000;
/** Milliseconds. The last window ends this long after the start, so that it includes what is edited during the run. */
const REACH_MS = 2 * 86_400_000;

export interface IsrctnFetch extends LiveFetch {
  /** Records a request, at least 1; default 250. A window that holds more is halved. */
  limit?: number;
}

/** A span of `lastEdited`, `from` inclusive, `to` exclusive, in milliseconds; `expected` is an estimate of its records. */
const windowSchema = z.strictObject({ from: z.int(), to: z.int(), expected: z.int() });
type Window = z.infer<typeof windowSchema>;

interface Page {
  records: number;
  total: number;
}

/**
 * Fetches ISRCTN by windows of `lastEdited`. The registry has no paging and no order, so windows are halved until each fits
 * one answer, and asked for from the oldest to the newest.
 */
export async function fetchIsrctn(fetch: IsrctnFetch, effects: Effects): Promise<FetchLog> {
  const { limit = DEFAULT_LIMIT } = fetch;
  return liveFetch(fetch, effects, {
    registry: REGISTRY,
    dataTime: async () => null,
    async walk(run, client) {
      const { log } = run;
      // The windows still to be asked for, the oldest on top.
      const stack = await remainingWindows(run, client, limit);
      for (let window = stack.pop(); window; window = stack.pop()) await fetchWindow(run, client, limit, window, stack);
      const held = recordsHeld(log);
      const expected = log.expectedRecords ?? 0;
      // More than expected is valid: a record edited during the run comes twice. Fewer means that some are missing.
      if (held < expected) {
        const message = `${log.origin}: ${held} trials came where the registry says ${expected}; run again`;
        throw new SourceFault(REGISTRY, 'count-mismatch', message);
      }
      if (log.kind === 'full') log.registryTotal = await countAll(client);
    },
  });
}

async function remainingWindows(run: LiveRun, client: RegistryClient, limit: number): Promise<Window[]> {
  const { log } = run;
  const position = log.files.at(-1)?.position;
  if (position != null) return z.array(windowSchema).parse(JSON.parse(position));
  const from = Date.parse(`${log.window?.from ?? FIRST_DAY}T00:00:00Z`);
  const start = Date.parse(log.startedAt);
  const whole = { from, to: start - (start % SECOND_MS) + REACH_MS, expected: 0 };
  const expected = (await ask(client, whole, 1)).value.total;
  if (expected === 0 && log.kind === 'full') {
    const message = `${log.origin}: the registry says that it has no trials; try again later`;
    throw new SourceFault(REGISTRY, 'no-records', message);
  }
  log.expectedRecords = expected;
  await run.writeLog();
  return expected > limit ? halvesOf(whole, expected) : [whole];
}

async function fetchWindow(
  run: LiveRun,
  client: RegistryClient,
  limit: number,
  window: Window,
  stack: Window[],
): Promise<void> {
  const isDivisible = window.to - window.from > SECOND_MS;
  // Asking for the count first spares the registry an answer that would be discarded.
  const count = isDivisible && window.expected > limit ? (await ask(client, window, 1)).value.total : 0;
  if (count > limit) {
    stack.push(...halvesOf(window, count));
    return;
  }
  const answer = await ask(client, window, limit);
  const { total } = answer.value;
  if (total > limit && isDivisible) {
    stack.push(...halvesOf(window, total));
    return;
  }
  const whole = total > limit ? await askAtOnce(run, client, limit, window, total) : answer;
  await run.storePage(whole, JSON.stringify(stack));
}

async function askAtOnce(
  run: LiveRun,
  client: RegistryClient,
  limit: number,
  window: Window,
  total: number,
): Promise<Answer<Page>> {
  const most = limit * MAX_LIMIT_FACTOR;
  if (total <= most) {
    const answer = await ask(client, window, total);
    if (answer.value.records === answer.value.total) return answer;
  }
  const message = `${run.log.origin}: the second ${isoSecond(window.from)} holds ${total} trials, more than one answer may hold (${most}); raise the limit`;
  throw new SourceFault(REGISTRY, 'window-limit', message);
}

/** The windows leave out a trial without an edit time, so what is missing is known only from the unfiltered count. */
async function countAll(client: RegistryClient): Promise<number | null> {
  try {
    return (await query(client, '', 1)).value.total;
  } catch (error) {
    if (error instanceof SourceFault && error.status !== undefined) return null;
    throw error;
  }
}

function ask(client: RegistryClient, { from, to }: Window, limit: number): Promise<Answer<Page>> {
  return query(client, `lastEdited GE ${isoSecond(from)} AND lastEdited LT ${isoSecond(to)}`, limit);
}

function query(client: RegistryClient, q: string, limit: number): Promise<Answer<Page>> {
  return client.get('/api/query/format/default', { q, limit: String(limit) }, (body) => readPage(body, limit));
}

/** The halves of a window, cut at a whole second, the older last. */
function halvesOf(window: Window, total: number): Window[] {
  const middle = window.from + Math.floor((window.to - window.from) / 2 / SECOND_MS) * SECOND_MS;
  const expected = Math.ceil(total / 2);
  return [
    { from: middle, to: window.to, expected },
    { from: window.from, to: middle, expected },
  ];
}

function readPage(body: Buffer, limit: number): Page {
  const slicer = new XmlSlicer();
  const records = countRecords(slicer, body, 'answer', 'a list of trials');
  const total = slicer.statedTotal;
  if (total === null)
    throw new SourceFault(REGISTRY, 'not-the-registry', 'the answer has no totalCount; the API has changed');
  if (total <= limit && records !== total) {
    throw new UnsoundBody('count-mismatch', `${records} trials came where totalCount says ${total}`);
  }
  return { records, total };
}

function isoSecond(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}
