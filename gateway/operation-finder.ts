import type { H3Event } from 'h3';
import { DOORS, type Door } from '../contract/interfaces/doors.ts';
import type { Operation } from '../contract/operation.ts';
import { routeOf } from '../server-kit/mount.ts';

/** Finds the operation of a request by its route, HEAD as GET; undefined if another route answers it. */
export function operationFinder(operations: readonly Operation[]): (event: H3Event) => Operation | undefined {
  const byRoute = new Map(operations.map((operation) => [`${operation.method} ${routeOf(operation.path)}`, operation]));
  // Several ask for each request; h3 has one object for each route.
  const known = new WeakMap<object, Operation | undefined>();
  return ({ context: { matchedRoute: matched } }) => {
    if (matched === undefined) return undefined;
    const found = known.get(matched);
    if (found !== undefined) return found;
    const operation = byRoute.get(`${matched.method === 'HEAD' ? 'GET' : matched.method} ${matched.route}`);
    known.set(matched, operation);
    return operation;
  };
}

const DOOR_BY_ROUTE: ReadonlyMap<string, Door> = new Map(DOORS.map((door) => [routeOf(door.path), door]));

/** The door that a route belongs to; undefined if it is none of a door. */
export function doorAt(route: string | undefined): Door | undefined {
  return route === undefined ? undefined : DOOR_BY_ROUTE.get(route);
}
