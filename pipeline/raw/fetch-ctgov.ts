import { z } from 'zod';
import type { Effects } from '../effects.ts';
import { withAttempt } from './attempts.ts';
import { type Answer, type ClientOptions, isHtml, RegistryClient, RequestRefused, UnsoundBody } from './http-client.ts';
import { JsonSlicer } from './json-slicer.ts';
import { type RawLedger, SourceFault } from './ledger.ts';
import { abandonRun, writeLedger } from './ledger-store.ts';
import {
  baseOf,
  completeRun,
  type FetchMode,
  type LivePlan,
  recordsHeld,
  resumableRun,
  startRun,
  storePage,
} from './live-run.ts';
import { SliceError } from './slice.ts';

const REGISTRY = 'clinicaltrials_gov';
/** The registry's own maximum. */
const PAGE_SIZE = 1000;
/** Pages beyond the computed number that are followed: pages may come short or empty. */
const SLACK_PAGES = 10;
/** Share of the records by which the count may differ when the registry's data moved during the run. */
const MOVED_TOLERANCE = 0.01;

export interface CtgovFetch extends Omit<ClientOptions, 'registry'> {
  dataDir: string;
  mode: FetchMode;
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
export async function fetchCtgov(fetch: CtgovFetch, effects: Effects): Promise<RawLedger> {
  const plan: LivePlan = { dataDir: fetch.dataDir, registry: REGISTRY, mode: fetch.mode, origin: fetch.baseUrl };
  return withAttempt(fetch.dataDir, REGISTRY, effects, async () => {
    const client = new RegistryClient({ ...fetch, registry: REGISTRY }, effects);
    const base = fetch.mode === 'incremental' ? await baseOf(plan) : null;
    const unfinished = await resumableRun(plan, base, effects);
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
    const ledger = await startRun(plan, base, { dataTimestamp, window }, effects);
    return new CtgovRun(fetch, plan, client, ledger, effects).go();
  });
}

/** One run over the chain of page tokens. */
class CtgovRun {
  readonly #pageSize: number;
  readonly #plan: LivePlan;
  readonly #client: RegistryClient;
  readonly #ledger: RawLedger;
  readonly #effects: Effects;

  constructor(fetch: CtgovFetch, plan: LivePlan, client: RegistryClient, ledger: RawLedger, effects: Effects) {
    this.#pageSize = fetch.pageSize ?? PAGE_SIZE;
    this.#plan = plan;
    this.#client = client;
    this.#ledger = ledger;
    this.#effects = effects;
  }

  async go(): Promise<RawLedger> {
    const ledger = this.#ledger;
    try {
      for (;;) {
        const last = ledger.files.at(-1);
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
      if (isSpoilt) await abandonRun(this.#plan.dataDir, ledger);
      throw error;
    }
    return completeRun(this.#plan, ledger, this.#effects);
  }

  async #fetchPage(token: string | null): Promise<void> {
    const ledger = this.#ledger;
    const answer = await this.#client.get('/api/v2/studies', this.#query(token), (body) =>
      readPage(body, token === null),
    );
    const { records, total, nextToken } = answer.value;
    if (token === null) ledger.expectedRecords = total;
    if (ledger.files.length === 0 && total === 0 && ledger.kind === 'full') {
      throw new SourceFault(
        REGISTRY,
        'no-records',
        `${answer.url}: the registry says that it has no studies; try again later`,
      );
    }
    if (nextToken !== null) this.#checkToken(nextToken, answer);
    await storePage(this.#plan, ledger, { answer, format: 'ctgov-page', records, position: nextToken }, this.#effects);
  }

  #query(token: string | null): Record<string, string> {
    const { window } = this.#ledger;
    return {
      format: 'json',
      pageSize: String(this.#pageSize),
      ...(window && { 'query.term': `AREA[LastUpdatePostDate]RANGE[${window.from},MAX]` }),
      ...(token === null ? { countTotal: 'true' } : { pageToken: token }),
    };
  }

  #checkToken(nextToken: string, answer: Answer<Page>): void {
    const { files, expectedRecords } = this.#ledger;
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
    if (now === this.#ledger.dataTimestamp) return;
    this.#ledger.dataMoved = true;
    await writeLedger(this.#plan.dataDir, this.#ledger);
  }

  #checkCount(): void {
    const { expectedRecords, dataMoved } = this.#ledger;
    const held = recordsHeld(this.#ledger);
    const allowed = dataMoved ? Math.ceil((expectedRecords ?? 0) * MOVED_TOLERANCE) : 0;
    if (expectedRecords === null || Math.abs(held - expectedRecords) <= allowed) return;
    const message = `${this.#plan.origin}: ${held} studies came where totalCount says ${expectedRecords}; run again`;
    throw new SourceFault(REGISTRY, 'count-mismatch', message);
  }
}

async function dataTimestampOf(client: RegistryClient): Promise<string> {
  const answer = await client.get('/api/v2/version', {}, (body) => {
    refuseHtml(body);
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
  refuseHtml(body);
  const slicer = new JsonSlicer('page');
  let records: number;
  try {
    records = slicer.push(body).length + slicer.end().length;
  } catch (error) {
    if (!(error instanceof SliceError)) throw error;
    if (error.kind === 'truncated') throw new UnsoundBody('truncated', `the page is cut short: ${error.message}`);
    throw new UnsoundBody('not-the-registry', `the answer is not a page of studies: ${error.message}`);
  }
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

function refuseHtml(body: Buffer): void {
  if (isHtml(body)) {
    throw new SourceFault(
      REGISTRY,
      'not-the-registry',
      'a web page came instead of JSON; check the address, or try again later',
    );
  }
}
