import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { type FetchLog, recordsHeld, SourceFault, writeFetchLog } from './fetch-log.ts';
import { type RegistryClient, unsoundBody } from './http-client.ts';
import { JsonSlicer } from './json-slicer.ts';
import { countRecords, type LiveFetch, type LiveRun, liveFetch, storePage } from './live-run.ts';

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
  return liveFetch(fetch, effects, {
    registry: REGISTRY,
    dataTime: dataTimestampOf,
    async walk(run, client) {
      const { log } = run;
      while (log.files.at(-1)?.position !== null) await fetchPage(run, client, fetch.pageSize ?? PAGE_SIZE);
      // The registry refreshes its data once a day; the log says so when that happened during the run.
      if ((await dataTimestampOf(client)) !== log.dataTimestamp) {
        log.dataMoved = true;
        await writeFetchLog(run.dataDir, log);
      }
      const [held, expected] = [recordsHeld(log), log.expectedRecords];
      const allowed = log.dataMoved ? Math.ceil((expected ?? 0) * MOVED_TOLERANCE) : 0;
      if (expected !== null && Math.abs(held - expected) > allowed)
        throw fault(
          'count-mismatch',
          `${log.origin}: ${held} studies came where totalCount says ${expected}; run again`,
        );
    },
  });
}

async function fetchPage(run: LiveRun, client: RegistryClient, pageSize: number): Promise<void> {
  const { log } = run;
  const token = log.files.at(-1)?.position ?? null;
  const query = {
    format: 'json',
    pageSize: String(pageSize),
    ...(log.window && { 'query.term': `AREA[LastUpdatePostDate]RANGE[${log.window.from},MAX]` }),
    ...(token === null ? { countTotal: 'true' } : { pageToken: token }),
  };
  const answer = await client.get('/api/v2/studies', query, (body) => readPage(body, token === null));
  const { total, nextToken } = answer.value;
  if (token === null) log.expectedRecords = total;
  if (token === null && total === 0 && log.kind === 'full')
    throw fault('no-records', `${answer.url}: the registry says that it has no studies; try again later`);
  if (nextToken !== null) checkToken(log, nextToken, answer.url, pageSize);
  await storePage(run, answer, nextToken);
}

function checkToken({ files, expectedRecords }: FetchLog, nextToken: string, url: string, pageSize: number): void {
  const page = files.length + 1;
  const earlier = files.findIndex((file) => file.position === nextToken) + 1;
  if (earlier > 0) {
    const message = `page ${page} gives the same token as page ${earlier}, so the pages would never end; run again`;
    throw fault('repeated-token', `${url}: ${message}`);
  }
  const most = Math.ceil((expectedRecords ?? 0) / pageSize) + SLACK_PAGES;
  if (page > most) {
    const message = `more than ${most} pages for ${expectedRecords} studies and still another token; run again`;
    throw fault('endless', `${url}: ${message}`);
  }
}

async function dataTimestampOf(client: RegistryClient): Promise<string> {
  const answer = await client.get('/api/v2/version', {}, (body) => {
    let value: unknown;
    try {
      value = JSON.parse(body.toString('utf8'));
    } catch {
      throw unsoundBody('truncated', 'the version answer is not JSON');
    }
    const parsed = versionSchema.safeParse(value);
    if (parsed.success) return parsed.data.dataTimestamp;
    throw fault('not-the-registry', 'the version answer has no dataTimestamp; the API has changed');
  });
  return answer.value;
}

function readPage(body: Buffer, isFirst: boolean): Page {
  const slicer = new JsonSlicer('page');
  const records = countRecords(slicer, body);
  const nextToken = slicer.fields.nextPageToken ?? null;
  if (nextToken !== null && (typeof nextToken !== 'string' || nextToken === ''))
    throw fault('not-the-registry', 'nextPageToken is not a string; the API has changed');
  const total = slicer.statedTotal;
  if (isFirst && total === null)
    throw fault('not-the-registry', 'the first page has no totalCount; the API has changed');
  return { records, total, nextToken };
}

function fault(code: SourceFault['code'], message: string): SourceFault {
  return new SourceFault(REGISTRY, code, message);
}
