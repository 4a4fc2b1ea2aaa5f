import type { Standing } from './server-link.ts';

/**
 * The places of servers in the order in which a request tries them. A server that takes no requests is tried only where
 * there is no other, and one that is silent never. Then comes the newest snapshot, so that a client that pages never
 * goes back a version; then the fewest requests under way, and in turn by `turn` where that is equal.
 */
export function inOrderOfChoice(standings: readonly Standing[], turn: number): number[] {
  const heard = standings.flatMap((standing, place) => (standing.isSilent ? [] : [{ ...standing, place }]));
  const { length } = standings;
  const afterTurn = (place: number): number => (place - (turn % length) + length) % length;
  return heard
    .toSorted(
      (a, b) =>
        Number(b.isReady) - Number(a.isReady) ||
        newestFirst(a.snapshot, b.snapshot) ||
        a.inFlight - b.inFlight ||
        afterTurn(a.place) - afterTurn(b.place),
    )
    .map(({ place }) => place);
}

/** Names of versions begin with their time. */
function newestFirst(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (b ?? '') > (a ?? '') ? 1 : -1;
}
