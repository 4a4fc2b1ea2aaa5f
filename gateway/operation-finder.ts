import type { H3Event } from 'h3';
import type { Operation } from '../contract/operation.ts';
import { routeOf } from '../server-kit/mount.ts';

/** Finds the operation of a request by its route, HEAD as GET; undefined if another route answers it. */
export function operationFinder(operations: readonly Operation[]): (event: H3Event) => Operation | undefined {
  const byRoute = new Map(operations.map((operation) => [`${operation.method} ${routeOf(operation.path)}`, operation]));
  return ({ context: { matchedRoute: matched } }) =>
    matched && byRoute.get(`${matched.method === 'HEAD' ? 'GET' : matched.method} ${matched.route}`);
}
