import type { H3 } from 'h3';
import type { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { ERRORS } from '../../contract/errors/errors.ts';
import type { Door } from '../../contract/interfaces/doors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { checkContract } from '../../contract/operations/service/description.ts';
import { API_VERSION, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { routeOf } from '../../server-kit/mount.ts';
import { codesOf } from './codes.ts';

/** Compares what runs with what is promised; nothing here knows what either should be. */

export interface Route {
  /** Upper case; empty for every method. */
  method: string;
  /** As h3 has it: `/api/v1/claims/:id`. */
  path: string;
}

export interface Promised {
  operations: readonly Operation[];
  doors: readonly Door[];
  /** Paths of the pages for people and of what they load: routes that stand in no machine description. */
  pages: readonly string[];
  document: oas31.OpenAPIObject;
  /** Codes of the error catalogue. */
  codes: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const;
/** The route that answers NOT_FOUND for every other path. */
const CATCH_ALL = '/**';

/** The routes that an app answers by. */
export function routesOf(app: H3): Route[] {
  return app['~routes'].map(({ method = '', route = '' }) => ({ method: method.toUpperCase(), path: route }));
}

/** Every difference between routes, document and catalogue, by name; empty if they agree. */
export function differencesOf(routes: readonly Route[], promised: Promised): string[] {
  return [...routeDifferences(routes, promised), ...documentDifferences(promised), ...codeDifferences(promised)];
}

function calls({ operations, doors }: Promised): { id: string; method: string; path: string }[] {
  return [
    ...operations.map(({ id, method, path }) => ({ id: `operation ${id}`, method, path })),
    ...doors.flatMap(({ id, methods, path }) => methods.map((method) => ({ id: `door ${id}`, method, path }))),
  ];
}

function routeDifferences(routes: readonly Route[], promised: Promised): string[] {
  const pages = promised.pages.map((path) => ({ id: `page ${path}`, method: 'GET', path }));
  const wanted = [...calls(promised), ...pages];
  const paths = new Set(wanted.map(({ path }) => routeOf(path)));
  const known = new Set(wanted.map(({ method, path }) => `${method} ${routeOf(path)}`));
  const running = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const missing = wanted.filter(({ method, path }) => !running.has(`${method} ${routeOf(path)}`));
  const beside = routes.filter(({ method, path }) => {
    if (path === CATCH_ALL) return false;
    return method === '' ? !paths.has(path) : !known.has(`${method === 'HEAD' ? 'GET' : method} ${path}`);
  });
  return [
    ...missing.map(({ id, method, path }) => `${id}: no route for ${method} ${path}`),
    ...beside.map(
      ({ method, path }) => `route ${method || 'of every method'} ${path}: no operation, no door and no page`,
    ),
  ];
}

function documentDifferences(promised: Promised): string[] {
  const wanted = calls(promised);
  const known = new Set(wanted.map(({ method, path }) => `${method} ${path}`));
  const described = new Set(documented(promised.document).map(({ method, path }) => `${method} ${path}`));
  return [
    ...wanted
      .filter(({ method, path }) => !described.has(`${method} ${path}`))
      .map(({ id, method, path }) => `${id}: ${method} ${path} is not in the document`),
    ...[...described]
      .filter((call) => !known.has(call))
      .map((call) => `document: ${call} is neither an operation nor a door`),
  ];
}

function codeDifferences({ operations, document, codes }: Promised): string[] {
  const catalogue = new Set(codes);
  const described = documented(document);
  const named = new Set(described.flatMap(({ operation }) => documentedCodes(document, operation)));
  const unknown = [...named].filter((code) => !catalogue.has(code)).sort();
  const undescribed = operations.flatMap((operation) => {
    const found = described.find(({ method, path }) => method === operation.method && path === operation.path);
    const own = new Set(found ? documentedCodes(document, found.operation) : []);
    return codesOf(operation)
      .filter((code) => !own.has(code))
      .map((code) => `operation ${operation.id}: ${code} is not in the document`);
  });
  return [...unknown.map((code) => `document: ${code} is not in the catalogue`), ...undescribed];
}

interface Documented {
  method: string;
  path: string;
  operation: oas31.OperationObject;
}

function documented(document: oas31.OpenAPIObject): Documented[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );
}

/** Codes that the document gives an operation: each stands in the list of its status. */
function documentedCodes(document: oas31.OpenAPIObject, operation: oas31.OperationObject): string[] {
  const responses = Object.values(operation.responses ?? {}) as (oas31.ResponseObject | oas31.ReferenceObject)[];
  return responses.flatMap((response) => {
    const name = '$ref' in response ? response.$ref?.split('/').at(-1) : undefined;
    const whole = name === undefined ? response : document.components?.responses?.[name];
    return codesIn(whole);
  });
}

/** Values that a schema `{error: {allOf: [Error, {properties: {code: {enum}}}]}}` allows for the code. */
function codesIn(response: unknown): string[] {
  const content = (response as { content?: Record<string, { schema?: ErrorAnswer }> } | undefined)?.content;
  const parts = content?.['application/json']?.schema?.properties?.error?.allOf ?? [];
  return parts.flatMap((part) => part.properties?.code?.enum ?? []);
}

interface ErrorAnswer {
  properties?: { error?: { allOf?: { properties?: { code?: { enum?: string[] } } }[] } };
}

/** The whole answer of GET /api/v1/contract. */
export function contractReport(routes: readonly Route[], promised: Promised): z.output<typeof checkContract.output> {
  const differences = differencesOf(routes, promised);
  const { servers: _servers, ...document } = promised.document;
  const described = documented(promised.document);
  const pages = new Set(promised.pages.map(routeOf));
  const hashes = {
    operations: hashOf(promised.operations.map(plain)),
    document: hashOf(document),
    catalogue: hashOf(ERRORS),
  };
  return {
    agree: differences.length === 0,
    differences,
    contractVersion: COORDINATION_CONTRACT_VERSION,
    apiVersion: API_VERSION,
    hash: hashOf(hashes),
    hashes,
    counts: {
      operations: promised.operations.length,
      doors: promised.doors.length,
      pages: promised.pages.length,
      routes: routes.filter(({ method, path }) => method !== '' && method !== 'HEAD' && !pages.has(path)).length,
      documented: described.length,
      codes: promised.codes.length,
      codesDocumented: new Set(described.flatMap(({ operation }) => documentedCodes(promised.document, operation)))
        .size,
    },
  };
}

/** An operation without its schemas, which are in the document. */
function plain(operation: Operation): Record<string, unknown> {
  const { params, query, body: _body, output: _output, ...rest } = operation;
  return { ...rest, params: Object.keys(params ?? {}), query: Object.keys(query ?? {}) };
}

function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
