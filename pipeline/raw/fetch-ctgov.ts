import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { type FetchLog, recordsHeld, SourceFault } from './fetch-log.ts';
import { type RegistryClient, UnsoundBody } from './http-client.ts';
import { JsonSlicer } from './json-slicer.ts';
import { countRecords, type LiveFetch, type LiveRun, liveFetch } from './live-run.ts';

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
 * Fetches ClinicalTrials.gov through its API v2, along its page tokens. `incremental` asks for what was posted since the
 * stored sets, with one day of overlap.
 */
export async function fetchCtgov(fetch: CtgovFetch, effects: Effects): Promise<FetchLog> {
  const { pageSize = PAGE_SIZE } = fetch;
  return liveFetch(fetch, effects, {
    registry: REGISTRY,
    dataTime: dataTimestampOf,
    async walk(run, client) {
      const { log } = run;
      for (;;) {
        const last = log.files.at(-1);
        if (last?.position === null) break;
        await fetchPage(run, client, pageSize, last?.position ?? null);
      }
      // The registry refreshes its data once a day; the log says so when that happened during the run.
      if ((await dataTimestampOf(client)) !== log.dataTimestamp) {
        log.dataMoved = true;
        await run.writeLog();
      }
      checkCount(log);
    },
  });
}

async function fetchPage(run: LiveRun, client: RegistryClient, pageSize: number, token: string | null): Promise<void> {
  const { log } = run;
  const query = {
    format: 'json',
    pageSize: String(pageSize),
    ...(log.window && { 'query.term': `AREA[LastUpdatePostDate]RANGE[${log.window.from},MAX]` }),
    ...(token === null ? { countTotal: 'true' } : { pageToken: token }),
  };
  const answer = await client.get('/api/v2/studies', query, (body) => readPage(body, token === null));
  const { total, nextToken } = answer.value;
  if (token === null) log.expectedRecords = total;
  if (log.files.length === 0 && total === 0 && log.kind === 'full') {
    const message = `${answer.url}: the registry says that it has no studies; try again later`;
    throw new SourceFault(REGISTRY, 'no-records', message);
  }
  if (nextToken !== null) checkToken(log, nextToken, answer.url, pageSize);
  await run.storePage(answer, nextToken);
}

function checkToken({ files, expectedRecords }: FetchLog, nextToken: string, url: string, pageSize: number): void {
  const earlier = files.findIndex((file) => file.position === nextToken);
  if (earlier !== -1) {
    const message = `${url}: page ${files.length + 1} gives the same token as page ${earlier + 1}, so the pages would never end; run again`;
    throw new SourceFault(REGISTRY, 'repeated-token', message);
  }
  const most = Math.ceil((expectedRecords ?? 0) / pageSize) + SLACK_PAGES;
  if (files.length + 1 > most) {
    const message = `${url}: more than ${most} pages for ${expectedRecords} studies and still another token; run again`;
    throw new SourceFault(REGISTRY, 'endless', message);
  }
}

function checkCount(log: FetchLog): void {
  const { expectedRecords, dataMoved, origin } = log;
  const held = recordsHeld(log);
  const allowed = dataMoved ? Math.ceil((expectedRecords ?? 0) * MOVED_TOLERANCE) : 0;
  if (expectedRecords === null || Math.abs(held - expectedRecords) <= allowed) return;
  const message = `${origin}: ${held} studies came where totalCount says ${expectedRecords}; run again`;
  throw new SourceFault(REGISTRY, 'count-mismatch', message);
}

async function dataTimestampOf(client: RegistryClient): Promise<string> {
  const answer = await client.get('/api/v2/version', {}, (body) => {
    let value: unknown;
    try {
      value = JSON.parse(body.toString('utf8'));
    } catch {
      throw new UnsoundBody('truncated', 'the version answer is not JSON');
    }
    const parsed = versionSchema.safeParse(value);
    if (parsed.success) return parsed.data.dataTimestamp;
    throw changed('the version answer has no dataTimestamp');
  });
  return answer.value;
}

function readPage(body: Buffer, isFirst: boolean): Page {
  const slicer = new JsonSlicer('page');
  const records = countRecords(slicer, body, 'page', 'a page of studies');
  const nextToken = slicer.fields.nextPageToken ?? null;
  if (nextToken !== null && (typeof nextToken !== 'string' || nextToken === '')) {
    throw changed('nextPageToken is not a string');
  }
  const total = slicer.statedTotal;
  if (isFirst && total === null) throw changed('the first page has no totalCount');
  return { records, total, nextToken };
}

function changed(what: string): SourceFault {
  return new SourceFault(REGISTRY, 'not-the-registry', `${what}; the API has changed`);
}
