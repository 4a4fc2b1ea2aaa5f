import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { type FetchLog, SourceFault } from './fetch-log.ts';
import { abandonRun, writeFetchLog } from './fetch-log-store.ts';
import { type Answer, type RegistryClient, RequestRefused, UnsoundBody } from './http-client.ts';
import { JsonSlicer } from './json-slicer.ts';
import {
  completeRun,
  countRecords,
  type LiveFetch,
  type LivePlan,
  liveFetch,
  recordsHeld,
  refuseHtml,
  startRun,
  storePage,
} from './live-run.ts';

const REGISTRY = 'clinicaltrials_gov';
/** The registry's own maximum. */
const PAGE_SIZE = 1000;
/** Pages beyond the computed number that are followed: pages may come short or empty. */
const SLACK_PAGES = 10;
/** Share of the records by which the count may differ when the registry's data moved during the run. */
const MOVED_TOLERANCE = 0.01;

export interface CtgovFetch extends LiveFetch {
  /** Studies a page, 1 to 1000; default 1000. */
  pageSize?: number;
}

interface Page {
  records: number;
  total: number | null;
  nextToken: string | null;
}

const versionSchema = z.object({ apiVersion: z.string(), dataTimestamp: z.string().min(10) });

/**
 * Fetches ClinicalTrials.gov through its API v2 into a new raw set, or goes on with the unfinished one. `incremental` asks
 * for what was posted since the sets at hand, less a day. Throws SourceFault; a set that failed is never complete.
 */
export async function fetchCtgov(fetch: CtgovFetch, effects: Effects): Promise<FetchLog> {
  return liveFetch(REGISTRY, fetch, effects, async ({ plan, client, base, unfinished }) => {
    if (unfinished) {
      try {
        return await new CtgovRun(fetch, plan, client, unfinished, effects).go();
      } catch (error) {
        // Page tokens do not last for ever: where the registry no longer knows ours, the sweep begins anew.
        const isStaleToken = error instanceof RequestRefused && error.status === 400;
        if (!isStaleToken) throw error;
        await abandonRun(fetch.dataDir, unfinished);
      }
    }
    const dataTimestamp = await dataTimestampOf(client);
    const window = base && { from: base.from, to: dataTimestamp.slice(0, 10) };
    const log = await startRun(plan, base, { dataTimestamp, window }, effects);
    return new CtgovRun(fetch, plan, client, log, effects).go();
  });
}

/** One run over the chain of page tokens. */
class CtgovRun {
  readonly #pageSize: number;
  readonly #plan: LivePlan;
  readonly #client: RegistryClient;
  readonly #log: FetchLog;
  readonly #effects: Effects;

  constructor(fetch: CtgovFetch, plan: LivePlan, client: RegistryClient, log: FetchLog, effects: Effects) {
    this.#pageSize = fetch.pageSize ?? PAGE_SIZE;
    this.#plan = plan;
    this.#client = client;
    this.#log = log;
    this.#effects = effects;
  }

  async go(): Promise<FetchLog> {
    const log = this.#log;
    try {
      for (;;) {
        const last = log.files.at(-1);
        if (last && last.position === null) break;
        await this.#fetchPage(last?.position ?? null);
      }
      await this.#noteMove();
      this.#checkCount();
    } catch (error) {
      // These would meet the same chain of pages again; anything else leaves the run to be resumed.
      const isSpoilt =
        error instanceof SourceFault &&
        ['repeated-token', 'endless', 'count-mismatch', 'no-records'].includes(error.code);
      if (isSpoilt) await abandonRun(this.#plan.dataDir, log);
      throw error;
    }
    return completeRun(this.#plan, log, this.#effects);
  }

  async #fetchPage(token: string | null): Promise<void> {
    const log = this.#log;
    const answer = await this.#client.get('/api/v2/studies', this.#query(token), (body) =>
      readPage(body, token === null),
    );
    const { records, total, nextToken } = answer.value;
    if (token === null) log.expectedRecords = total;
    if (log.files.length === 0 && total === 0 && log.kind === 'full') {
      throw new SourceFault(
        REGISTRY,
        'no-records',
        `${answer.url}: the registry says that it has no studies; try again later`,
      );
    }
    if (nextToken !== null) this.#checkToken(nextToken, answer);
    await storePage(this.#plan, log, { answer, format: 'ctgov-page', records, position: nextToken }, this.#effects);
  }

  #query(token: string | null): Record<string, string> {
    const { window } = this.#log;
    return {
      format: 'json',
      pageSize: String(this.#pageSize),
      ...(window && { 'query.term': `AREA[LastUpdatePostDate]RANGE[${window.from},MAX]` }),
      ...(token === null ? { countTotal: 'true' } : { pageToken: token }),
    };
  }

  #checkToken(nextToken: string, answer: Answer<Page>): void {
    const { files, expectedRecords } = this.#log;
    const earlier = files.findIndex((file) => file.position === nextToken);
    if (earlier !== -1) {
      const message = `${answer.url}: page ${files.length + 1} gives the token that page ${earlier + 1} gave; the chain of pages is a ring, run again`;
      throw new SourceFault(REGISTRY, 'repeated-token', message);
    }
    const most = Math.ceil((expectedRecords ?? 0) / this.#pageSize) + SLACK_PAGES;
    if (files.length + 1 > most) {
      const message = `${answer.url}: more than ${most} pages for ${expectedRecords} studies and still a further token; run again`;
      throw new SourceFault(REGISTRY, 'endless', message);
    }
  }

  /** The registry refreshes its data once a day; a run across that moment says so. */
  async #noteMove(): Promise<void> {
    const now = await dataTimestampOf(this.#client);
    if (now === this.#log.dataTimestamp) return;
    this.#log.dataMoved = true;
    await writeFetchLog(this.#plan.dataDir, this.#log);
  }

  #checkCount(): void {
    const { expectedRecords, dataMoved } = this.#log;
    const held = recordsHeld(this.#log);
    const allowed = dataMoved ? Math.ceil((expectedRecords ?? 0) * MOVED_TOLERANCE) : 0;
    if (expectedRecords === null || Math.abs(held - expectedRecords) <= allowed) return;
    const message = `${this.#plan.origin}: ${held} studies came where totalCount says ${expectedRecords}; run again`;
    throw new SourceFault(REGISTRY, 'count-mismatch', message);
  }
}

async function dataTimestampOf(client: RegistryClient): Promise<string> {
  const answer = await client.get('/api/v2/version', {}, (body) => {
    refuseHtml(REGISTRY, body, 'JSON');
    let value: unknown;
    try {
      value = JSON.parse(body.toString('utf8'));
    } catch {
      throw new UnsoundBody('truncated', 'the version answer is not JSON');
    }
    const parsed = versionSchema.safeParse(value);
    if (parsed.success) return parsed.data.dataTimestamp;
    throw new SourceFault(REGISTRY, 'not-the-registry', 'the version answer has no dataTimestamp; the API has changed');
  });
  return answer.value;
}

function readPage(body: Buffer, isFirst: boolean): Page {
  refuseHtml(REGISTRY, body, 'JSON');
  const slicer = new JsonSlicer('page');
  const records = countRecords(slicer, body, 'page', 'a page of studies');
  const nextToken = slicer.field('nextPageToken') ?? null;
  if (nextToken !== null && (typeof nextToken !== 'string' || nextToken === '')) {
    throw new SourceFault(REGISTRY, 'not-the-registry', 'nextPageToken is not a string; the API has changed');
  }
  const total = slicer.statedTotal();
  if (isFirst && total === null) {
    throw new SourceFault(REGISTRY, 'not-the-registry', 'the first page has no totalCount; the API has changed');
  }
  return { records, total, nextToken };
}
