/** A version as a link of the chain: each is followed to its parent by the changes that it stores. */
export interface ChainLink {
  version: string;
  parent: string | null;
  /** Whether the differences from the parent are stored. */
  hasChanges: boolean;
}

/** Finds a version that is held, or was removed; null where nothing of it is kept. */
export type FindLink<Link extends ChainLink> = (version: string) => Promise<Link | null>;

/** A version and its parents, newest first: as far as each stores its changes, and the first one that does not, if anything of it is kept. */
export async function chainFrom<Link extends ChainLink>(version: string, find: FindLink<Link>): Promise<Link[]> {
  const chain: Link[] = [];
  for (let next: string | null = version; next !== null; ) {
    const link: Link | null = await find(next);
    // A parent is older by its name, so no ring goes on for ever.
    if (link === null || chain.some((seen) => seen.version === link.version)) break;
    chain.push(link);
    next = link.hasChanges ? link.parent : null;
  }
  return chain;
}

/** Versions whose changes lead from one version to another: first those to be undone, then those to be made, each in order. */
export interface ChangePath<Link> {
  undone: Link[];
  made: Link[];
}

/** The way through the newest version that both come from; null where stored changes do not lead that far. */
export async function pathBetween<Link extends ChainLink>(
  from: string,
  to: string,
  find: FindLink<Link>,
): Promise<ChangePath<Link> | null> {
  const [back, on] = [await chainFrom(from, find), await chainFrom(to, find)];
  const turn = back.findIndex(({ version }) => on.some((link) => link.version === version));
  if (turn < 0) return null;
  const meets = on.findIndex(({ version }) => version === back[turn]?.version);
  return { undone: back.slice(0, turn), made: on.slice(0, meets).reverse() };
}
