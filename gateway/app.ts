import { H3, type H3Event } from 'h3';
import type { Logger } from 'pino';
import { isPrivatePath } from '../contract/impersonal-paths.ts';
import { ORIENTATION_OPERATIONS, PROBE_OPERATIONS } from '../contract/operations/board/orientation.ts';
import { SCOREBOARD_OPERATIONS } from '../contract/operations/board/scoreboard.ts';
import { LAB_DISEASE_OPERATIONS } from '../contract/operations/research/lab-diseases.ts';
import { CAPABILITY_OPERATIONS } from '../contract/operations/service/capabilities.ts';
import { DESCRIPTION_OPERATIONS } from '../contract/operations/service/description.ts';
import { PRIVATE_PATIENT_MODEL_OPERATIONS } from '../contract/operations/service/private-patient-model.ts';
import { SDK_OPERATIONS } from '../contract/operations/service/sdk.ts';
import { STATUS_OPERATIONS } from '../contract/operations/service/status.ts';
import { USAGE_OPERATIONS } from '../contract/operations/service/usage.ts';
import { VERIFICATION_OPERATIONS } from '../contract/operations/trials/receipts.ts';
import { BOARD_OPERATIONS, INDEX_OPERATIONS, OPERATIONS } from '../contract/operations.ts';
import { countResearchItems, type IndexServices, mountIndex } from '../index-server/entry.ts';
import { fieldsOf } from '../server-kit/answer/answer.ts';
import { noteAnswerSize } from '../server-kit/answer/answer-size.ts';
import type { Operator } from '../server-kit/config/config.ts';
import type { CallerCeilings } from '../server-kit/limits/caller-ceilings.ts';
import type { CountStore } from '../server-kit/limits/count-store.ts';
import type { RateLimiter } from '../server-kit/limits/limits.ts';
import { correlationIdOf, mount, problemResponse, route } from '../server-kit/mount.ts';
import { Problem } from '../server-kit/problem.ts';
import { mountA2a } from './a2a/door.ts';
import { Admission } from './admission/admission.ts';
import type { AllowedHosts } from './admission/allowed-hosts.ts';
import { Doorkeeper } from './admission/doorkeeper.ts';
import { boardLookup, KeyVerifier } from './admission/key-verifier.ts';
import { type CallerCounts, CommonState } from './common/common.ts';
import { routesOf } from './description/contract-check.ts';
import { mountTexts } from './description/mount-texts.ts';
import { mountTaken } from './exports/taken.ts';
import { TAKEN_LIST } from './exports/taken-list.ts';
import { mountTrialFiles } from './exports/trial-files.ts';
import { capabilityHandlers } from './handlers/capabilities.ts';
import { descriptionHandlers } from './handlers/description.ts';
import { withFixedTexts } from './handlers/fixed-texts.ts';
import { labDiseaseHandlers, loadLabModules } from './handlers/lab-diseases.ts';
import { mountMetrics } from './handlers/metrics.ts';
import { orientationHandlers } from './handlers/orientation.ts';
import { privatePatientModelHandlers } from './handlers/private-patient-model.ts';
import { readinessHandlers, readinessOf } from './handlers/readiness.ts';
import { scoreboardHandlers } from './handlers/scoreboard.ts';
import { sdkHandlers } from './handlers/sdk.ts';
import { statusHandlers } from './handlers/status.ts';
import { usageHandlers } from './handlers/usage.ts';
import { verificationHandlers } from './handlers/verification.ts';
import { setCorsHeaders, setSecurityHeaders } from './headers.ts';
import { invoker } from './invoke.ts';
import { mountMcp } from './mcp/door.ts';
import type { BoardTraffic } from './observation/board-traffic.ts';
import { isBare, versionOfFile } from './observation/inner-requests.ts';
import { Metrics } from './observation/metrics.ts';
import { Observer } from './observation/observer.ts';
import { operationFinder } from './operation-finder.ts';
import { mountPages, problemPage, wantsPage } from './pages/mount-pages.ts';
import { type AskIndex, indexAsker } from './upstream/ask-index.ts';
import { type Forward, forwarder } from './upstream/forward.ts';
import { citedRuns } from './upstream/receipt-runs.ts';
import { filterCheck } from './upstream/trial-queries.ts';
import { Upstream } from './upstream/upstream.ts';
import { mayAskForView, viewAnswer } from './view/rest-view.ts';

export interface GatewayOptions {
  /** The index in this process, or a server in another. */
  index: IndexServices | Upstream;
  /** The board server; without one, its operations answer 503. */
  board?: Upstream;
  /** Why the board does not run, where this process knows; for the status. */
  boardFault?: () => string | null;
  /** Counts of callers that gateways elsewhere share; default this gateway has its own. */
  counts?: CallerCounts | null;
  /** The store of those counts, for status and metrics. */
  countStore?: Pick<CountStore, 'kind' | 'away'>;
  /** Directory of snapshots into which versions come from a store that machines share; absent without one. */
  followedIn?: string;
  /** Null switches rate limits off. */
  limiter?: RateLimiter | null;
  trustedProxies?: number;
  log: Logger;
  now: () => Date;
  baseUrl: string | null;
  /** Who runs the service; without it, pages say that no name was given. */
  operator?: Operator;
  /** Aborts when this process begins to drain. */
  draining?: AbortSignal;
  /** Names that the server answers to; default any. */
  allowedHosts?: AllowedHosts;
  /** How late the event loop runs, in milliseconds; without it, no read is refused for that. */
  lagMs?: () => number;
  /** The connections of this server, for the metrics. */
  callers?: CallerCeilings;
  /** Counts of requests at all gateways that share the board; default this gateway has its own. */
  traffic?: BoardTraffic;
}

const UNNAMED: Operator = { name: null, contact: null };

/** The public origin: every operation of the contract behind one address. */
export function createGateway(options: GatewayOptions): H3 {
  const { index, board = new Upstream(null), trustedProxies = 0, log, now, baseUrl } = options;
  const { traffic = null, draining = null, allowedHosts = null, operator = UNNAMED } = options;
  const doorkeeper = new Doorkeeper(OPERATIONS, allowedHosts);
  const common = new CommonState(now);
  const counts = options.counts ?? common;
  const verifier = new KeyVerifier(boardLookup(board), now);
  const metrics = new Metrics({
    upstreams: { board, ...(index instanceof Upstream && { index }) },
    index: index instanceof Upstream ? () => readinessOf(index) : index,
    now,
    callers: options.callers,
    countStore: options.countStore,
  });
  const admission = admissionOf(options, { metrics, verifier, counts });
  const observer = new Observer({ operations: OPERATIONS, metrics, common, traffic, log });
  const refuse = refuser({ baseUrl, log });
  const app = new H3({
    silent: true,
    onRequest: (event) => observer.begin(event),
    onError: refuse,
    onResponse: async (response, event) => {
      try {
        const fields = fieldsOf(event, response);
        setSecurityHeaders(event, fields, baseUrl);
        fields.set('x-correlation-id', correlationIdOf(event));
        setCorsHeaders(event, fields, (asked, answered) => doorkeeper.methodsForPage(asked, answered));
        for (const [name, value] of Object.entries(await admission.headersFor(event))) fields.set(name, value);
      } finally {
        admission.answered(event);
        observer.end(event, response);
      }
    },
  });
  const operationOf = operationFinder(OPERATIONS);
  app.use((event) => {
    doorkeeper.check(event);
    const admitted = admission.admit(event);
    return mayAskForView(event) ? admitted.then(() => viewAnswer(event, operationOf(event))) : admitted;
  });
  const mounting = { log, now, baseUrl, trustedProxies, isBare };
  const askIndex = indexAsker(index, mounting);
  mountOwnOperations(app, mounting, { ...options, askIndex, board, draining, admission, common, counts, traffic });
  mountMetrics(app, metrics);
  const forwarding = { trustedProxies, draining };
  const toBoard = { ...forwarding, beside: citedRuns(askIndex), check: filterCheck(askIndex) };
  if (index instanceof Upstream) route(app, INDEX_OPERATIONS, forwarder(index, forwarding));
  else mountIndex(app, { ...mounting, services: index, askedVersion: versionOfFile });
  route(
    app,
    BOARD_OPERATIONS,
    withFixedTexts(
      forgettingKeys(forwarder(board, toBoard), (key) => verifier.forget(key)),
      mounting,
    ),
  );
  mountTrialFiles(app, { ...mounting, index, forwarding });
  const invoke = invoker(app, admission, 'refused', 'concise');
  mountMcp(app, { operations: OPERATIONS, invoke, admission, allowedHosts, log });
  mountA2a(app, { ...mounting, invoke, admission, allowedHosts });
  mountTaken(app, TAKEN_LIST, { invoke: invoker(app, admission, 'sent'), log, now, baseUrl });
  mountPages(app, { invoke: invoker(app, admission, 'sent'), log, now, baseUrl, operator });
  app.all('/**', (event) => refuse(unknownPath(event), event));
  return app;
}

function admissionOf(
  { index, limiter = null, trustedProxies = 0, lagMs }: GatewayOptions,
  parts: { metrics: Metrics; verifier: KeyVerifier; counts: CallerCounts },
): Admission {
  const { metrics, verifier, counts } = parts;
  return new Admission({
    ...{ operations: OPERATIONS, limiter, verifier, counts, trustedProxies },
    servedVersions: () => versionsOf(index),
    onLimited: (bucket) => metrics.limited(bucket),
    onShed: () => metrics.shed(),
    ...(lagMs && { lagMs }),
  });
}

/** Versions that are served; index servers may be on the way from one to the next. */
function versionsOf(index: IndexServices | Upstream): string[] {
  const served = index instanceof Upstream ? index.standings.map(({ snapshot }) => snapshot) : [index.holder.version];
  return served.filter((version) => version !== null);
}

interface OwnServices extends Pick<GatewayOptions, 'index' | 'boardFault' | 'followedIn' | 'countStore'> {
  askIndex: AskIndex;
  board: Upstream;
  draining: AbortSignal | null;
  admission: Admission;
  common: CommonState;
  counts: CallerCounts;
  traffic: BoardTraffic | null;
}

/**
 * Operations that the gateway answers itself: about the service, its description, and those that combine index and
 * board.
 */
function mountOwnOperations(
  app: H3,
  mounting: Pick<GatewayOptions, 'log' | 'now' | 'baseUrl' | 'trustedProxies'>,
  { index, askIndex, board, boardFault = () => null, followedIn, countStore, draining, ...own }: OwnServices,
): void {
  const { admission, common, counts, traffic } = own;
  mount(app, ORIENTATION_OPERATIONS, orientationHandlers, { ...mounting, services: { board } });
  mount(app, CAPABILITY_OPERATIONS, capabilityHandlers, { ...mounting, services: null });
  mount(app, DESCRIPTION_OPERATIONS, descriptionHandlers(), { ...mounting, services: { routes: () => routesOf(app) } });
  mountTexts(app, { baseUrl: mounting.baseUrl });
  mount(app, USAGE_OPERATIONS, usageHandlers, { ...mounting, services: { admission, counts } });
  mount(app, SDK_OPERATIONS, sdkHandlers, { ...mounting, services: null });
  mount(app, PROBE_OPERATIONS, readinessHandlers, { ...mounting, services: { index, draining } });
  const watched = { index, board, boardFault, common, followedIn, countStore };
  mount(app, STATUS_OPERATIONS, statusHandlers, { ...mounting, services: watched });
  const scored = { askIndex, board, common, traffic, researchItems: countResearchItems() };
  mount(app, SCOREBOARD_OPERATIONS, scoreboardHandlers, { ...mounting, services: scored });
  mount(app, PRIVATE_PATIENT_MODEL_OPERATIONS, privatePatientModelHandlers, { ...mounting, services: null });
  const lab = { askIndex, board, modules: loadLabModules() };
  mount(app, VERIFICATION_OPERATIONS, verificationHandlers, { ...mounting, services: { askIndex, board } });
  mount(app, LAB_DISEASE_OPERATIONS, labDiseaseHandlers, { ...mounting, services: lab });
}

/** Answers any exception as a page if a browser asked for one, otherwise in the API's form. */
function refuser({ baseUrl, log }: Pick<GatewayOptions, 'baseUrl' | 'log'>) {
  return (error: unknown, event: H3Event) =>
    wantsPage(event) ? problemPage(error, event, { baseUrl, log }) : problemResponse(error, event, log);
}

function unknownPath(event: H3Event): Problem {
  const { pathname } = event.url;
  if (isPrivatePath(pathname)) return new Problem('AUTH_REQUIRED');
  const below = readsBelow(pathname);
  if (below.length === 0) return new Problem('NOT_FOUND');
  return new Problem('NOT_FOUND', {
    message: `No object and no route is at this path. Below it are ${below.join(', ')}.`,
  });
}

const BELOW_SHOWN = 12;

/** Reads whose address continues this one, as /api/v1/trials/search does /api/v1/trials. */
function readsBelow(pathname: string): string[] {
  if (!pathname.startsWith('/api/v1/')) return [];
  // Only from the first slash of a run: from each of thousands it would be tried anew.
  const base = `${pathname.replace(/(?<!\/)\/+$/, '')}/`;
  return OPERATIONS.filter(({ method, path }) => method === 'GET' && path.startsWith(base))
    .map(({ path }) => `GET ${path}`)
    .slice(0, BELOW_SHOWN);
}

/** After a key was changed through this gateway, its new rate or its refusal applies from the next request on. */
function forgettingKeys(forward: Forward, forget: (key: string) => void): Forward {
  return async (event: H3Event, operation) => {
    const response = await forward(event, operation);
    if (response.body instanceof Uint8Array) noteAnswerSize(event, response.body.length);
    const key = event.req.headers.get('x-api-key');
    if (key !== null && operation.method !== 'GET' && operation.errors.includes('INVALID_KEY')) forget(key);
    return response;
  };
}
