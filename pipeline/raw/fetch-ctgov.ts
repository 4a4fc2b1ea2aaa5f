import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { type FetchLog, SourceFault } from './fetch-log.ts';
import { abandonRun } from './fetch-log-store.ts';
import { type RegistryClient, RequestRefused, UnsoundBody } from './http-client.ts';
import { JsonSlicer } from './json-slicer.ts';
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

const REGISTRY = 'clinicaltrials_gov';
/** The registry's own maximum. */
const PAGE_SIZE = 1000;
/** Pages that are followed beyond the computed number, because pages may be short or empty. */
const SLACK_PAGES = 10;
/** Share of the records by which the count may differ when the registry refreshed its data during the run. */
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
 * Fetches ClinicalTrials.gov through its API v2 into a new raw set, or resumes the unfinished one. `incremental` asks for
 * what was posted since the stored sets, with one day of overlap. Throws SourceFault; a set that failed is never complete.
 */
export async function fetchCtgov(fetch: CtgovFetch, effects: Effects): Promise<FetchLog> {
  return liveFetch(REGISTRY, fetch, effects, async (start) => {
    const { client, unfinished } = start;
    if (unfinished) {
      try {
        return await new CtgovRun(start, unfinished, fetch.pageSize).go();
      } catch (error) {
        // Page tokens expire: when the registry no longer knows ours, the fetch starts again.
        const isStaleToken = error instanceof RequestRefused && error.status === 400;
        if (!isStaleToken) throw error;
        await abandonRun(fetch.dataDir, unfinished);
      }
    }
    const dataTimestamp = await dataTimestampOf(client);
    const log = await startRun(start, dataTimestamp, dataTimestamp.slice(0, 10));
    return new CtgovRun(start, log, fetch.pageSize).go();
  });
}

/** One run over the chain of page tokens. */
class CtgovRun extends LiveRun {
  readonly #client: RegistryClient;
  readonly #pageSize: number;

  constructor(start: LiveStart, log: FetchLog, pageSize: number = PAGE_SIZE) {
    super(start, log);
    this.#client = start.client;
    this.#pageSize = pageSize;
  }

  async go(): Promise<FetchLog> {
    const { log } = this;
    try {
      for (;;) {
        const last = log.files.at(-1);
        if (last && last.position === null) break;
        await this.#fetchPage(last?.position ?? null);
      }
      await this.#noteMove();
      this.#checkCount();
    } catch (error) {
      // A resumed run would meet these faults again; after any other fault the run can be resumed.
      const isSpoilt =
        error instanceof SourceFault &&
        ['repeated-token', 'endless', 'count-mismatch', 'no-records'].includes(error.code);
      if (isSpoilt) await abandonRun(this.plan.dataDir, log);
      throw error;
    }
    return this.complete();
  }

  async #fetchPage(token: string | null): Promise<void> {
    const { log } = this;
    const isFirst = token === null;
    const answer = await this.#client.get('/api/v2/studies', this.#query(token), (body) => readPage(body, isFirst));
    const { total, nextToken } = answer.value;
    if (isFirst) log.expectedRecords = total;
    if (log.files.length === 0 && total === 0 && log.kind === 'full') {
      const message = `${answer.url}: the registry says that it has no studies; try again later`;
      throw new SourceFault(REGISTRY, 'no-records', message);
    }
    if (nextToken !== null) this.#checkToken(nextToken, answer.url);
    await this.storePage(answer, 'ctgov-page', nextToken);
  }

  #query(token: string | null): Record<string, string> {
    const { window } = this.log;
    return {
      format: 'json',
      pageSize: String(this.#pageSize),
      ...(window && { 'query.term': `AREA[LastUpdatePostDate]RANGE[${window.from},MAX]` }),
      ...(token === null ? { countTotal: 'true' } : { pageToken: token }),
    };
  }

  #checkToken(nextToken: string, url: string): void {
    const { files, expectedRecords } = this.log;
    const earlier = files.findIndex((file) => file.position === nextToken);
    if (earlier !== -1) {
      const message = `${url}: page ${files.length + 1} gives the same token as page ${earlier + 1}, so the pages would never end; run again`;
      throw new SourceFault(REGISTRY, 'repeated-token', message);
    }
    const most = Math.ceil((expectedRecords ?? 0) / this.#pageSize) + SLACK_PAGES;
    if (files.length + 1 > most) {
      const message = `${url}: more than ${most} pages for ${expectedRecords} studies and still another token; run again`;
      throw new SourceFault(REGISTRY, 'endless', message);
    }
  }

  /** The registry refreshes its data once a day; the log says so when that happened during the run. */
  async #noteMove(): Promise<void> {
    if ((await dataTimestampOf(this.#client)) === this.log.dataTimestamp) return;
    this.log.dataMoved = true;
    await this.writeLog();
  }

  #checkCount(): void {
    const { expectedRecords, dataMoved } = this.log;
    const held = recordsHeld(this.log);
    const allowed = dataMoved ? Math.ceil((expectedRecords ?? 0) * MOVED_TOLERANCE) : 0;
    if (expectedRecords === null || Math.abs(held - expectedRecords) <= allowed) return;
    const message = `${this.plan.origin}: ${held} studies came where totalCount says ${expectedRecords}; run again`;
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
