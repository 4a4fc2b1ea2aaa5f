import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { type FetchLog, recordsHeld, SourceFault, writeFetchLog } from './fetch-log.ts';
import { type Answer, type RegistryClient, unsoundBody } from './http-client.ts';
import { countRecords, type LiveFetch, type LiveRun, liveFetch, storePage } from './live-run.ts';
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
      for (let window = stack.pop(); window; window = stack.pop()) {
        const answer = await answerFor(log, client, limit, window);
        if (typeof answer === 'number') stack.push(...halvesOf(window, answer));
        else await storePage(run, answer, JSON.stringify(stack));
      }
      const [held, expected] = [recordsHeld(log), log.expectedRecords ?? 0];
      // More than expected is valid: a record edited during the run comes twice. Fewer means that some are missing.
      if (held < expected)
        throw fault('count-mismatch', log, `${held} trials came where the registry says ${expected}; run again`);
      if (log.kind === 'full') log.registryTotal = await countAll(client);
    },
  });
}

async function remainingWindows({ dataDir, log }: LiveRun, client: RegistryClient, limit: number): Promise<Window[]> {
  const position = log.files.at(-1)?.position;
  if (position != null) return z.array(windowSchema).parse(JSON.parse(position));
  const from = Date.parse(`${log.window?.from ?? FIRST_DAY}T00:00:00Z`);
  const start = Date.parse(log.startedAt);
  const whole = { from, to: start - (start % SECOND_MS) + REACH_MS, expected: 0 };
  const expected = (await ask(client, whole, 1)).value.total;
  if (expected === 0 && log.kind === 'full')
    throw fault('no-records', log, 'the registry says that it has no trials; try again later');
  log.expectedRecords = expected;
  await writeFetchLog(dataDir, log);
  return expected > limit ? halvesOf(whole, expected) : [whole];
}

/** The whole answer for a window; its number of records where they are too many and the window can be halved. */
async function answerFor(
  log: FetchLog,
  client: RegistryClient,
  limit: number,
  window: Window,
): Promise<Answer<Page> | number> {
  const isDivisible = window.to - window.from > SECOND_MS;
  // Asking for the count first spares the registry an answer that would be discarded.
  const counted = isDivisible && window.expected > limit ? (await ask(client, window, 1)).value.total : 0;
  if (counted > limit) return counted;
  const answer = await ask(client, window, limit);
  const { total } = answer.value;
  if (total <= limit) return answer;
  if (isDivisible) return total;
  const most = limit * MAX_LIMIT_FACTOR;
  const whole = total <= most ? await ask(client, window, total) : null;
  if (whole !== null && whole.value.records === whole.value.total) return whole;
  const second = isoSecond(window.from);
  const message = `the second ${second} holds ${total} trials, more than one answer may hold (${most}); raise the limit`;
  throw fault('window-limit', log, message);
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
  return client.get('/api/query/format/default', { q, limit: String(limit) }, (body) => {
    const slicer = new XmlSlicer();
    const records = countRecords(slicer, body);
    const total = slicer.statedTotal;
    if (total === null)
      throw new SourceFault(REGISTRY, 'not-the-registry', 'the answer has no totalCount; the API has changed');
    if (total <= limit && records !== total)
      throw unsoundBody('count-mismatch', `${records} trials came where totalCount says ${total}`);
    return { records, total };
  });
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

function isoSecond(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

function fault(code: SourceFault['code'], { origin }: FetchLog, message: string): SourceFault {
  return new SourceFault(REGISTRY, code, `${origin}: ${message}`);
}
