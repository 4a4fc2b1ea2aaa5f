import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { changeKey } from '../../snapshot/format/versions/change-pack.ts';
import { bitmapOf, type RowSet } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { OpenVersion } from './history-store.ts';

/** Longest work in one piece while requests may wait, and the pause after it. */
const SLICE_MS = 2;
const PAUSE_MS = 16;

/** Marks of blocks that have no row, or several. */
const NONE = -1;
const SEVERAL = -2;

/** The rows of one version's blocks. */
interface Rows {
  /** By block: its row, NONE or SEVERAL. */
  first: Int32Array;
  several: Map<number, number[]>;
  /** Blocks with a key of no trial of the image. */
  withUnheld: ReadonlySet<number>;
}

/**
 * Which trials of an image the blocks of changes may be about, so that the changes of the trials that a query finds are
 * found without reading others. A block's own id is not in the keys of its pack, and two ids can have one key: who reads
 * a block must check its id.
 */
export interface BlockRows {
  /** Blocks of a version that may be about a trial of the set, in order. The set must be a bitmap: `askedRows`. */
  blocksIn(version: OpenVersion, asked: RowSet): number[];
  /** The last canonical id of each registration that the image does not hold and whose trial it does not hold either. */
  gone: ReadonlyMap<string, string>;
}

interface Pace {
  /** A request waits: no pauses. */
  hurried: boolean;
}

const builds = new WeakMap<SnapshotImage, { pace: Pace; done: Promise<BlockRows> }>();

/** The set in the form that `blocksIn` takes. */
export function askedRows(set: RowSet, image: SnapshotImage): RowSet {
  return bitmapOf(set, image.trials);
}

/** Made once for an image: in the background with pauses, or at once where a request waits for it. Holds the image while it is made. */
export function blockRowsOf(
  image: SnapshotImage,
  versions: readonly OpenVersion[],
  { hurried }: { hurried: boolean },
): Promise<BlockRows> {
  const known = builds.get(image);
  if (known !== undefined) {
    known.pace.hurried ||= hurried;
    return known.done;
  }
  const pace = { hurried };
  image.retain();
  const done = make(image, versions, pace).finally(() => image.release());
  done.catch(() => builds.delete(image));
  builds.set(image, { pace, done });
  return done;
}

async function make(image: SnapshotImage, versions: readonly OpenVersion[], pace: Pace): Promise<BlockRows> {
  const breathe = slices(pace);
  const rowsOf = new RowTable(image.trials);
  for (const { folded, row } of image.canonicalIds()) {
    rowsOf.add(changeKey(folded.toLowerCase()), row);
    await breathe();
  }
  const made = new Map<string, Rows>();
  const gone = new Map<string, string>();
  for (const one of versions) {
    const rows = rowsOfBlocks(one, rowsOf);
    made.set(one.version, rows);
    for (const block of rows.withUnheld) {
      noteGone(one, block, gone);
      await breathe();
    }
    await breathe();
  }
  return { blocksIn: (version, asked) => blocksIn(version, made.get(version.version), asked), gone };
}

/** Waits where a slice is over. Most calls return nothing to wait for. */
function slices(pace: Pace): () => Promise<unknown> | undefined {
  let [calls, begun] = [0, performance.now()];
  return () => {
    calls += 1;
    if ((calls & 15) !== 0 || performance.now() - begun < SLICE_MS) return undefined;
    return (pace.hurried ? setImmediate() : delay(PAUSE_MS)).then(() => {
      begun = performance.now();
    });
  };
}

function rowsOfBlocks({ pack }: OpenVersion, rowsOf: RowTable): Rows {
  const first = new Int32Array(pack.blocks).fill(NONE);
  const several = new Map<number, number[]>();
  const withUnheld = new Set<number>();
  pack.eachKey((key, block) => {
    const found = rowsOf.find(key);
    if (found.length === 0) withUnheld.add(block);
    for (const row of found) {
      const held = first[block] as number;
      if (held === NONE) first[block] = row;
      else if (held === SEVERAL) several.get(block)?.push(row);
      else if (held !== row) {
        several.set(block, [held, row]);
        first[block] = SEVERAL;
      }
    }
  });
  return { first, several, withUnheld };
}

function blocksIn({ pack }: OpenVersion, rows: Rows | undefined, { words }: RowSet): number[] {
  // Of a version that came to be open later, every block may be.
  if (rows === undefined) return Array.from({ length: pack.blocks }, (_, block) => block);
  const { first, several } = rows;
  const isAsked = (row: number): boolean => ((words[row >>> 5] as number) >>> (row & 31)) % 2 !== 0;
  const found: number[] = [];
  for (let block = 0; block < first.length; block += 1) {
    const row = first[block] as number;
    if (row >= 0 ? isAsked(row) : row === SEVERAL && several.get(block)!.some(isAsked)) found.push(block);
  }
  return found;
}

/** Registrations of trials that are gone; those that another trial holds by now are found in the image first. */
function noteGone({ pack }: OpenVersion, block: number, gone: Map<string, string>): void {
  for (const { canonicalId, registrationId } of pack.read(block))
    if (canonicalId !== null && registrationId !== null) gone.set(registrationId, canonicalId);
}

/** Rows by 32-bit key, open addressing; one key can have several rows. */
class RowTable {
  readonly #mask: number;
  readonly #keys: Uint32Array;
  /** Row plus one; 0 for a free place. */
  readonly #rows: Uint32Array;

  constructor(trials: number) {
    // Previous ids are far fewer than trials, so that at least half of the places stay free.
    const places = 2 ** Math.ceil(Math.log2(4 * trials + 64));
    this.#mask = places - 1;
    this.#keys = new Uint32Array(places);
    this.#rows = new Uint32Array(places);
  }

  add(key: number, row: number): void {
    let place = key & this.#mask;
    while (this.#rows[place] !== 0) place = (place + 1) & this.#mask;
    this.#keys[place] = key;
    this.#rows[place] = row + 1;
  }

  find(key: number): number[] {
    const found: number[] = [];
    for (let place = key & this.#mask; this.#rows[place] !== 0; place = (place + 1) & this.#mask)
      if (this.#keys[place] === key) found.push((this.#rows[place] as number) - 1);
    return found;
  }
}
