import type { H3Event } from 'h3';
import { DOORS } from '../../contract/doors.ts';
import { PAGES } from '../../contract/pages.ts';
import { routeOf } from '../../server-kit/mount.ts';

/** Through which door a caller came: HTTP itself, a protocol whose message carried the operation, or a page made of it. */
export const CALL_DOORS = ['rest', 'mcp', 'a2a', 'page'] as const;
export type CallDoor = (typeof CALL_DOORS)[number];

const PAGE_ROUTES: ReadonlySet<string> = new Set(PAGES.map(({ path }) => routeOf(path)));

const doors = new WeakMap<object, CallDoor>();

/** Marks a request of this process to itself as carried by another one; no client can make such a mark. */
export function markInner(inner: Request, outer: H3Event): void {
  const path = outer.context.matchedRoute?.route;
  if (path !== undefined && PAGE_ROUTES.has(path)) {
    doors.set(inner, 'page');
    return;
  }
  const id = DOORS.find((door) => door.path === path)?.id;
  doors.set(inner, id === 'mcp' || id === 'a2a' ? id : 'rest');
}

/** The door of the request that carried this one; null for a client's own request. */
export function carryingDoor(event: H3Event): CallDoor | null {
  return doors.get(event.req) ?? null;
}
