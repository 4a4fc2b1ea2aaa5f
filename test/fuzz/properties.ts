import type { ErrorCode } from '../../contract/errors/errors.ts';
import { isPrivatePath } from '../../contract/impersonal-paths.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { failureFaults, successFaults } from '../support/checks/answer-shape.ts';
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts';

/** What must be true of every answer, whatever was asked. */

/** Internal things that no answer may show: paths of files, lines of code, names of libraries. */
const INNER = /node_modules|\.ts:\d|\/tmp\/|SQLITE|kysely|better-sqlite|duckdb|at Object\./;

/** Page of a version, beside whose address the files lie. */
const VERSION_PAGE = /^\/snapshots\/[^/?]*\/?(?:\?|$)/;

/** Faults of an answer, judged by what its operation promises; empty for a sound answer. */
export function faultsOf(request: FuzzedRequest, { status, headers, body }: FuzzedAnswer): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push(`status ${status}: ${body.toString('utf8').slice(0, 300)}`);
  if (!headers['x-correlation-id']) faults.push('no X-Correlation-Id');
  // A file that is asked for by a wrong range or another ETag is refused without a body, as HTTP has it.
  const isEmpty = [204, 304, 412, 416].includes(status);
  if (request.method === 'HEAD' || isEmpty) {
    return body.length === 0 ? faults : [...faults, 'a body where there must be none'];
  }
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-ndjson')) return [...faults, ...lineFaults(body)];
  const operation = operationAt(request.method, request.path);
  const streams = operation?.streams ?? [];
  if (status < 400 && streams.some((one) => type.startsWith(one))) return faults;
  // Dots that lead to the first page: it is a page for everybody.
  if (URL.parse(request.path, 'http://fuzz')?.pathname === '/' && type.startsWith('text/html')) return faults;
  // An address of no operation, such as one that begins with two slashes, is refused as a page to who asks for one; that of a page to all.
  const asksPage = request.headers.accept === 'text/html' || VERSION_PAGE.test(request.path);
  const isPage = operation === null && asksPage && type.startsWith('text/html');
  if (status >= 400 && isPage) return faults;
  if (!type.startsWith('application/json')) return [...faults, `the media type ${type || 'of nothing'}`];
  return [...faults, ...jsonFaults(request, status, body, String(headers['x-correlation-id']))];
}

function jsonFaults(request: FuzzedRequest, status: number, body: Buffer, correlationId: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return [`no JSON in UTF-8: ${body.toString('latin1').slice(0, 200)}`];
  }
  const operation = operationAt(request.method, request.path);
  if (status < 400) {
    if (operation === null) return [`status ${status} at no operation`];
    // A view is another form of the answer, for which no schema is promised.
    return /[?&](detail=concise|fields=)/.test(request.path) ? [] : successFaults(operation, parsed);
  }
  const sent = (parsed as { error?: { correlationId?: string } }).error?.correlationId;
  return [
    ...failureFaults(operation ?? refuserAt(request.path), status, parsed),
    ...(sent === correlationId ? [] : [`correlation id ${sent} in the body and ${correlationId} in the header`]),
    ...(INNER.test(body.toString('utf8')) ? ['something of the inside is shown'] : []),
  ];
}

/** What answers where no operation does: every path of the private interface asks for an account, also where there is nothing. */
function refuserAt(path: string): { id: string; errors: ErrorCode[] } | null {
  return isPrivatePath(segmentsOf(path)?.join('/') ?? '')
    ? { id: 'the private interface', errors: ['AUTH_REQUIRED'] }
    : null;
}

function lineFaults(body: Buffer): string[] {
  const lines = body.toString('utf8').split('\n').slice(0, -1);
  return lines.some((line) => typeof JSON.parse(line).hash !== 'string') ? ['a line without a hash'] : [];
}

/** The operation that answers an address. A literal segment goes before a parameter; a trailing slash is ignored. */
export function operationAt(method: string, path: string): Operation | null {
  const segments = segmentsOf(path);
  if (segments === null) return null;
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = OPERATIONS.filter((operation) => operation.method === asked && matches(operation.path, segments));
  return found.sort((a, b) => parametersIn(a.path) - parametersIn(b.path))[0] ?? null;
}

function segmentsOf(path: string): string[] | null {
  try {
    return new URL(`http://x.example${path}`).pathname.replace(/(?<=.)\/$/, '').split('/');
  } catch {
    return null;
  }
}

function matches(template: string, segments: readonly string[]): boolean {
  const wanted = template.split('/');
  return (
    wanted.length === segments.length && wanted.every((part, place) => part.startsWith('{') || part === segments[place])
  );
}

const parametersIn = (path: string): number => path.split('{').length - 1;
