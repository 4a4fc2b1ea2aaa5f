import { typed } from '../../contract/examples.ts';
import { knownArguments } from '../../contract/interfaces/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';

/** A printed REST call as the operation that answers it and one flat object of arguments. */
export interface PrintedCall {
  readonly operation: Operation;
  readonly given: Readonly<Record<string, unknown>>;
}

interface Route {
  readonly operation: Operation;
  readonly segments: readonly string[];
}

/** By method and number of segments; a path without parameters goes before one with them. */
const routes = new Map<string, Route[]>();
for (const operation of OPERATIONS) {
  const segments = operation.path.split('/');
  const key = `${operation.method} ${segments.length}`;
  const parameters = (route: Route): number => route.segments.filter(isParameter).length;
  const known = [...(routes.get(key) ?? []), { operation, segments }];
  routes.set(
    key,
    known.sort((a, b) => parameters(a) - parameters(b)),
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/**
 * Reads `METHOD /path?query`. A value that only the reader knows, `{id}` in the path or the query, becomes `<id>`.
 * Undefined where no operation answers the call, or the call has a parameter that the operation does not take.
 */
export function printedCall(text: string, body: Readonly<Record<string, unknown>> = {}): PrintedCall | undefined {
  const [, method, path = '', query = ''] = /^([A-Z]+) ([^?\s]+)(?:\?(\S*))?$/.exec(text) ?? [];
  const sent = path.split('/');
  const route = routes.get(`${method} ${sent.length}`)?.find(({ segments }) => fits(segments, sent));
  if (route === undefined) return undefined;
  const all = knownArguments(route.operation);
  const given: Record<string, unknown> = {};
  for (const [place, segment] of route.segments.entries()) {
    if (!isParameter(segment)) continue;
    const { name } = all.find((argument) => argument.place === 'path' && `{${argument.target}}` === segment)!;
    given[name] = decoded(sent[place]!);
  }
  for (const [target, value] of new URLSearchParams(query)) {
    const argument = all.find((known) => known.place === 'query' && known.target === target);
    if (argument === undefined) return undefined;
    const text = open(value);
    given[argument.name] = text === value ? typed(value, argument.schema) : text;
  }
  return { operation: route.operation, given: { ...given, ...body } };
}

function fits(template: readonly string[], sent: readonly string[]): boolean {
  return template.every((segment, place) =>
    isParameter(segment) ? (sent[place] ?? '') !== '' : segment === sent[place],
  );
}

function decoded(segment: string): string {
  try {
    return open(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

function open(value: string): string {
  return value.replaceAll(/\{(\w+)\}/g, '<$1>');
}
