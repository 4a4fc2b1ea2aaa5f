import type { H3, H3Event, HTTPResponse } from 'h3';
import type { Logger } from 'pino';
import { pageOf } from '../../contract/interfaces/pages.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import type { Operator } from '../../server-kit/config/config.ts';
import {
  correlationIdOf,
  noteFailure,
  otherMethod,
  pathPairs,
  requestProblem,
  routeOf,
} from '../../server-kit/mount.ts';
import { type ErrorBody, Problem, problemAnswer } from '../../server-kit/problem.ts';
import type { Invoke } from '../invoke.ts';
import { mountAssets } from './assets.ts';
import { failurePage } from './failure.ts';
import { DOCUMENT_HEADERS, documentOf } from './layout.ts';
import type { Page, PageContent } from './page.ts';
import { PAGE_LIST } from './page-list.ts';
import { FailedRead, Reads } from './reads.ts';
import { mountSiteFiles } from './site-files.ts';

const ALLOW = 'GET, HEAD, OPTIONS';
/** Paths for programs, whatever they accept. */
const FOR_PROGRAMS = ['/api', '/.well-known'];

interface PageServices {
  invoke: Invoke;
  log: Logger;
  now: () => Date;
  /** Fixed public address; null takes it from each request. */
  baseUrl: string | null;
  operator: Operator;
}

/** Serves every page of the contract, and the assets of the pages. */
export function mountPages(app: H3, services: PageServices): void {
  mountAssets(app);
  for (const page of PAGE_LIST) {
    const path = routeOf(pageOf(page.id).path);
    const answer = (event: H3Event) => answerPage(event, page, services);
    app.get(path, answer);
    app.on('HEAD', path, answer);
    app.all(path, (event) => otherMethod(event, ALLOW));
  }
  mountSiteFiles(app, services.baseUrl);
}

/** Whether a browser asked for a page, so that a refusal is a page too. */
export function wantsPage(event: H3Event): boolean {
  // A path in capitals is for programs too.
  const pathname = event.url.pathname.toLowerCase();
  const isForPrograms = FOR_PROGRAMS.some((base) => pathname === base || pathname.startsWith(`${base}/`));
  return !isForPrograms && (event.req.headers.get('accept')?.includes('text/html') ?? false);
}

/** Answers any exception as a page; the cause of an unexpected one goes to the log. */
export function problemPage(
  error: unknown,
  event: H3Event,
  { baseUrl, log }: Pick<PageServices, 'baseUrl' | 'log'>,
): Promise<HTTPResponse> {
  const correlationId = correlationIdOf(event);
  const { status, headers, body } = problemAnswer(requestProblem(error), correlationId);
  if (status >= 500) log.error({ correlationId, err: error }, 'a page could not be made');
  noteFailure(event, body.error.code);
  const allow = headers.allow === undefined ? {} : { allow: headers.allow };
  return sent(event, null, failurePage(status, body.error, event.url.pathname), { baseUrl, reads: null }, allow);
}

/** Shows a failure that was answered as JSON. */
export function failureAsPage(
  event: H3Event,
  status: number,
  { error }: ErrorBody,
  { baseUrl }: Pick<PageServices, 'baseUrl'>,
): Promise<HTTPResponse> {
  return sent(event, null, failurePage(status, error), { baseUrl, reads: null });
}

async function answerPage(event: H3Event, page: Page, services: PageServices): Promise<HTTPResponse> {
  const reads = new Reads(services.invoke, event);
  const { path } = pageOf(page.id);
  const content = await contentOf(event, page, services, { reads, params: () => paramsOf(event, path) });
  return sent(event, path, content, { ...services, reads });
}

interface Asked {
  reads: Reads;
  params: () => Record<string, string>;
  /** The address of the page, where it is not the one of the request. */
  url?: URL;
}

async function contentOf(
  event: H3Event,
  page: Page,
  { log, now, baseUrl, operator }: PageServices,
  { reads, params, url = event.url }: Asked,
): Promise<PageContent> {
  try {
    const request = { params: params(), query: url.searchParams, path: `${url.pathname}${url.search}` };
    const beside = { baseUrl: addressOf(event, baseUrl), now: now(), reads, operator };
    return { title: pageOf(page.id).title, ...(await page.respond({ ...request, ...beside })) };
  } catch (error) {
    const { status, failure } = failureOf(error, event);
    noteFailure(event, failure.code);
    if (status >= 500)
      log.warn({ correlationId: correlationIdOf(event), page: page.id, err: error }, 'a page could not be made');
    return failurePage(status, failure, url.pathname);
  }
}

function failureOf(error: unknown, event: H3Event): { status: number; failure: ErrorBody['error'] } {
  if (error instanceof FailedRead) return { status: error.status, failure: error.error };
  const { status, body } = problemAnswer(error, correlationIdOf(event));
  return { status, failure: body.error };
}

function sent(
  event: H3Event,
  current: string | null,
  content: PageContent,
  { baseUrl, reads }: { baseUrl: string | null; reads: Reads | null },
  more: Record<string, string> = {},
): Promise<HTTPResponse> {
  const frame = {
    current,
    baseUrl: addressOf(event, baseUrl),
    address: `${event.url.pathname}${event.url.search}`,
    provenance: reads?.provenance ?? {},
  };
  const body = Buffer.from(documentOf(content, frame));
  const status = content.status ?? 200;
  const validator = status === 200 ? body.toString('latin1') : undefined;
  // The same path may answer a refusal with a page or with JSON, depending on Accept, and may not refuse it next time.
  const refused = { 'cache-control': 'no-store', vary: 'Accept, Accept-Encoding' };
  const headers = {
    ...DOCUMENT_HEADERS,
    ...(status < 400 ? {} : refused),
    ...(content.location === undefined ? {} : { location: content.location }),
    ...(content.retryAfterSeconds === undefined ? {} : { 'retry-after': String(content.retryAfterSeconds) }),
    ...(content.refreshSeconds === undefined ? {} : { refresh: String(content.refreshSeconds) }),
    ...more,
  };
  const id = current ?? 'none';
  return answerWithCaching(
    event,
    { id, cache: 'revalidate' },
    { body, validator, status },
    headers,
    correlationIdOf(event),
  );
}

function addressOf(event: H3Event, baseUrl: string | null): string {
  return baseUrl ?? `${event.url.protocol}//${event.url.host}`;
}

function paramsOf(event: H3Event, template: string): Record<string, string> {
  const pairs = pathPairs(event, template).map(({ name, value }) => {
    if (value === null) throw new Problem('NOT_FOUND');
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}
