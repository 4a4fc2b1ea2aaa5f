import type { H3, H3Event, HTTPResponse } from 'h3';
import type { Logger } from 'pino';
import { doorOf } from '../../contract/interfaces/doors.ts';
import { MODEL_RUN_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import { unpackedBytes } from '../../server-kit/body.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { addressGroup, clientAddress } from '../../server-kit/limits/address.ts';
import { correlationIdOf, otherMethod } from '../../server-kit/mount.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { Admission } from '../admission/admission.ts';
import { type AllowedHosts, checkHostAndPage } from '../admission/allowed-hosts.ts';
import type { Invoke } from '../invoke.ts';
import { agentCard } from './card.ts';
import { type Call, METHODS, type Method, type MethodServices } from './methods.ts';
import { idOf, RpcFault, type RpcId, readJson, requestOf, rpcErrorOf } from './rpc.ts';
import { Tasks } from './tasks.ts';

interface A2aOptions {
  invoke: Invoke;
  admission: Admission;
  trustedProxies: number;
  allowedHosts: AllowedHosts;
  log: Logger;
  now: () => Date;
  /** Fixed public address; null takes it from each request. */
  baseUrl: string | null;
}

const CONTENT_TYPE = { 'content-type': 'application/json' };
const ALLOW = { a2a: 'GET, HEAD, POST, OPTIONS', card: 'GET, HEAD, OPTIONS' };

/**
 * Mounts A2A 0.3.0 over JSON-RPC, and the agent card. A message that names a skill runs its operation; every other
 * request counts as one read. A request refused before it is read as JSON-RPC, for its size or its sender's rate, gets
 * the REST refusal.
 */
export function mountA2a(app: H3, options: A2aOptions): void {
  const { admission, now } = options;
  const services: MethodServices = { ...options, tasks: new Tasks(now) };
  const door = doorOf('a2a').path;
  const cards = [doorOf('agent-card').path, doorOf('agent-card-0.2').path];
  for (const method of ['GET', 'HEAD'] as const) {
    for (const path of cards) app.on(method, path, (event) => cardAnswer(event, options));
    app.on(method, door, async (event) => {
      await admission.admitAs(event, 'read');
      return cardAnswer(event, options);
    });
  }
  app.post(door, (event) => answer(event, options, services));
  for (const path of cards) app.all(path, (event) => otherMethod(event, ALLOW.card));
  app.all(door, async (event) => {
    if (event.req.method !== 'OPTIONS') await admission.admitAs(event, 'read');
    return otherMethod(event, ALLOW.a2a);
  });
}

function cardAnswer(event: H3Event, { baseUrl }: A2aOptions): Promise<HTTPResponse> {
  const text = JSON.stringify(agentCard(baseUrl ?? event.url.origin));
  const answered = { body: Buffer.from(text), validator: text, status: 200 };
  return answerWithCaching(
    event,
    { id: 'agent-card', cache: 'static' },
    answered,
    CONTENT_TYPE,
    correlationIdOf(event),
  );
}

async function answer(event: H3Event, options: A2aOptions, services: MethodServices): Promise<HTTPResponse> {
  const address = clientAddress(event, options.trustedProxies);
  const call: Call = { event, address, caller: callerOf(event, address), charged: false };
  const correlationId = correlationIdOf(event);
  let id: RpcId = null;
  let method: unknown;
  try {
    checkHostAndPage(event, options.allowedHosts);
    const value = readJson(await unpackedBytes(event, MODEL_RUN_BODY_MAX_BYTES));
    id = idOf(value);
    method = (value as { method?: unknown } | null)?.method;
    return await rpcAnswer(event, { id, result: await carriedOut(call, value, services) });
  } catch (error) {
    if (!call.charged) await options.admission.admitAs(event, 'read');
    if (error instanceof Problem) throw error;
    if (!(error instanceof RpcFault))
      options.log.error({ correlationId, err: error }, 'an A2A request failed unexpectedly');
    const fault = error instanceof RpcFault ? error : new RpcFault('InternalError');
    return await rpcAnswer(event, { id, error: rpcErrorOf(fault, correlationId, method) });
  }
}

function callerOf(event: H3Event, address: string): string {
  const key = event.req.headers.get('x-api-key');
  return key === null ? `group ${addressGroup(address)}` : `key ${sha256(key)}`;
}

function carriedOut(call: Call, value: unknown, services: MethodServices): ReturnType<Method> {
  const { method, params } = requestOf(value);
  const known = METHODS.get(method);
  if (known === undefined) throw new RpcFault('MethodNotFound');
  return known(call, params, services);
}

/** JSON-RPC puts errors in the body, under HTTP status 200. */
function rpcAnswer(event: H3Event, response: { id: RpcId } & Record<string, unknown>): Promise<HTTPResponse> {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...response }));
  const answered = { body, validator: undefined, status: 200 };
  return answerWithCaching(event, { id: 'a2a' }, answered, CONTENT_TYPE, correlationIdOf(event));
}
