import type { H3Event } from 'h3';
import { PAGES } from '../../contract/interfaces/pages.ts';
import { asksBare } from '../../server-kit/answer/asked-bare.ts';
import { askedVersion } from '../../server-kit/answer/asked-version.ts';
import { routeOf } from '../../server-kit/mount.ts';
import { doorAt } from '../operation-finder.ts';

/** How a call arrived: over HTTP itself, in a message of another protocol, or as a read of a page, a file or a feed. */
export type CallDoor = 'rest' | 'mcp' | 'a2a' | 'page';

const PAGE_ROUTES: ReadonlySet<string> = new Set(PAGES.map(({ path }) => routeOf(path)));

const doors = new WeakMap<object, CallDoor>();

/** Marks a request of this process to itself with the door that it came through; a client cannot set the mark. */
export function markInner(inner: Request, outer: H3Event): void {
  const path = outer.context.matchedRoute?.route;
  const door = doorAt(path);
  const isPage = door?.isMadeOfReads ?? (path !== undefined && PAGE_ROUTES.has(path));
  doors.set(inner, isPage ? 'page' : (door?.protocol ?? 'rest'));
}

/** The door of the request that carried this one; null for a client's own request. */
export function carryingDoor(event: H3Event): CallDoor | null {
  return doors.get(event.req) ?? null;
}

/** The version that a file of this process is made of; a client's own request cannot ask for one. */
export function versionOfFile(event: H3Event): string | null {
  return carryingDoor(event) === 'page' ? askedVersion(event) : null;
}

/** Whether a page of this process asks for figures alone; a client's own request cannot. */
export function isBare(event: H3Event): boolean {
  return carryingDoor(event) === 'page' && asksBare(event);
}
