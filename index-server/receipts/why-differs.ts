import type { Manifest } from '../../snapshot/format/versions/manifest.ts';

/** Why a receipt differs, in words. */

interface Counted {
  count: number;
  sum: string;
}

/** A snapshot does not change, so that the receipt is not what this service says of it. */
export function differsOnItsSnapshot(said: Counted, found: Counted): string {
  return `${counts(said, found)}. A snapshot does not change: the receipt was not written by this service, or by a version of it that read the query otherwise`;
}

/** What lies between two snapshots; `before` is null where nothing is known of the earlier one. */
export function differsOnCurrent(
  [said, found]: [said: Counted, found: Counted],
  [before, after]: [before: Manifest | null, after: Manifest],
  moved: { came: { total: number }; went: { total: number } } | null,
): string {
  const ids = moved === null ? [] : [`${moved.came.total} ids came and ${moved.went.total} went`];
  return [
    counts(said, found),
    ...ids,
    ...(before === null ? [UNKNOWN] : [dataOf(before, after), rulesOf(before, after)]),
  ].join('; ');
}

const UNKNOWN = 'its snapshot is not known here, so that it cannot be told what changed';

function counts(said: Counted, found: Counted): string {
  if (said.count !== found.count) return `it says ${said.count} trials, and ${found.count} are found`;
  return `as many trials are found, ${said.count}, but not the same ones`;
}

/** Snapshots are made of what the registries said up to a day; statuses and windows count to it. */
function dataOf(before: Manifest, after: Manifest): string {
  const days = before.asOf === after.asOf ? `both as of ${after.asOf}` : `as of ${before.asOf} then, ${after.asOf} now`;
  const isSame = before.tables.registrations?.root === after.tables.registrations?.root;
  return `registry data: ${isSame ? 'the same records' : 'other records'}, ${days}`;
}

function rulesOf(before: Manifest, after: Manifest): string {
  const hashes = new Map(before.bound.rules.map(({ name, sha256 }) => [name, sha256]));
  const other = after.bound.rules.filter(({ name, sha256 }) => hashes.get(name) !== sha256).map(({ name }) => name);
  const gone = before.bound.rules
    .map(({ name }) => name)
    .filter((name) => !after.bound.rules.some((one) => one.name === name));
  const changed = [...other, ...gone];
  const rules =
    changed.length === 0 ? 'rules and terminology: the same' : `rules or terminology: changed in ${changed.join(', ')}`;
  const [was, is] = [before.bound.code, after.bound.code];
  return was.version === is.version && was.commit === is.commit
    ? rules
    : `${rules}; made by another version of the program`;
}
