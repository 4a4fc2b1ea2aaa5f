import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { type FetchLog, SourceFault } from './fetch-log.ts';
import { abandonRun } from './fetch-log-store.ts';
import { type Answer, type RegistryClient, RequestRefused, UnsoundBody } from './http-client.ts';
import {
  countRecords,
  type LiveFetch,
  LiveRun,
  type LiveStart,
  liveFetch,
  recordsHeld,
  refuseHtml,
  startRun,
} from './live-run.ts';
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
 * Fetches ISRCTN by windows of `lastEdited` into a new raw set, or resumes the unfinished one. The registry has no paging
 * and no order, so windows are halved until each fits one answer, and asked for from the oldest to the newest.
 * Throws SourceFault; a set that failed is never complete.
 */
export async function fetchIsrctn(fetch: IsrctnFetch, effects: Effects): Promise<FetchLog> {
  return liveFetch(REGISTRY, fetch, effects, async (start) => {
    const today = effects.now().toISOString().slice(0, 10);
    const log = start.unfinished ?? (await startRun(start, null, today));
    return new IsrctnRun(start, log, fetch.limit).go();
  });
}

/** One run over the windows still to be asked for, kept as a stack with the oldest on top. */
class IsrctnRun extends LiveRun {
  readonly #client: RegistryClient;
  readonly #limit: number;

  constructor(start: LiveStart, log: FetchLog, limit: number = DEFAULT_LIMIT) {
    super(start, log);
    this.#client = start.client;
    this.#limit = limit;
  }

  async go(): Promise<FetchLog> {
    const stack = await this.#remaining();
    for (let window = stack.pop(); window; window = stack.pop()) await this.#fetchWindow(window, stack);
    const held = recordsHeld(this.log);
    const expected = this.log.expectedRecords ?? 0;
    // More than expected is valid: a record edited during the run comes twice. Fewer means that some are missing.
    if (held < expected) {
      await abandonRun(this.plan.dataDir, this.log);
      const message = `${this.plan.origin}: ${held} trials came where the registry says ${expected}; run again`;
      throw new SourceFault(REGISTRY, 'count-mismatch', message);
    }
    if (this.log.kind === 'full') this.log.registryTotal = await this.#countAll();
    return this.complete();
  }

  async #remaining(): Promise<Window[]> {
    const { log, plan } = this;
    const position = log.files.at(-1)?.position;
    if (position != null) return z.array(windowSchema).parse(JSON.parse(position));
    const from = Date.parse(`${log.window?.from ?? FIRST_DAY}T00:00:00Z`);
    const start = Date.parse(log.startedAt);
    const whole = { from, to: start - (start % SECOND_MS) + REACH_MS, expected: 0 };
    const expected = await this.#count(whole);
    if (expected === 0 && log.kind === 'full') {
      const message = `${plan.origin}: the registry says that it has no trials; try again later`;
      throw new SourceFault(REGISTRY, 'no-records', message);
    }
    log.expectedRecords = expected;
    await this.writeLog();
    const stack: Window[] = [];
    if (expected > this.#limit) pushHalves(whole, expected, stack);
    else stack.push(whole);
    return stack;
  }

  async #fetchWindow(window: Window, stack: Window[]): Promise<void> {
    const isDivisible = window.to - window.from > SECOND_MS;
    // Asking for the count first spares the registry an answer that would be discarded.
    const count = isDivisible && window.expected > this.#limit ? await this.#count(window) : 0;
    if (count > this.#limit) {
      pushHalves(window, count, stack);
      return;
    }
    const answer = await this.#ask(window, this.#limit);
    const { total } = answer.value;
    if (total > this.#limit && isDivisible) {
      pushHalves(window, total, stack);
      return;
    }
    const whole = total > this.#limit ? await this.#askAtOnce(window, total) : answer;
    await this.storePage(whole, 'isrctn-xml', JSON.stringify(stack));
  }

  async #askAtOnce(window: Window, total: number): Promise<Answer<Page>> {
    const most = this.#limit * MAX_LIMIT_FACTOR;
    if (total <= most) {
      const answer = await this.#ask(window, total);
      if (answer.value.records === answer.value.total) return answer;
    }
    const message = `${this.plan.origin}: the second ${isoSecond(window.from)} holds ${total} trials, more than one answer may hold (${most}); raise the limit`;
    throw new SourceFault(REGISTRY, 'window-limit', message);
  }

  async #count(window: Window): Promise<number> {
    return (await this.#ask(window, 1)).value.total;
  }

  /** The windows leave out a trial without an edit time, so what is missing shows only against the unfiltered count. */
  async #countAll(): Promise<number | null> {
    try {
      return (await this.#query('', 1)).value.total;
    } catch (error) {
      if (error instanceof RequestRefused) return null;
      throw error;
    }
  }

  async #ask(window: Window, limit: number): Promise<Answer<Page>> {
    return this.#query(`lastEdited GE ${isoSecond(window.from)} AND lastEdited LT ${isoSecond(window.to)}`, limit);
  }

  async #query(q: string, limit: number): Promise<Answer<Page>> {
    return this.#client.get('/api/query/format/default', { q, limit: String(limit) }, (body) => readPage(body, limit));
  }
}

/** Cuts a window at a whole second and puts the halves on the stack, the older on top. */
function pushHalves(window: Window, total: number, stack: Window[]): void {
  const middle = window.from + Math.floor((window.to - window.from) / 2 / SECOND_MS) * SECOND_MS;
  const half = Math.ceil(total / 2);
  stack.push({ from: middle, to: window.to, expected: half }, { from: window.from, to: middle, expected: half });
}

function readPage(body: Buffer, limit: number): Page {
  refuseHtml(REGISTRY, body, 'XML');
  const slicer = new XmlSlicer();
  const records = countRecords(slicer, body, 'answer', 'a list of trials');
  const total = slicer.statedTotal();
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
