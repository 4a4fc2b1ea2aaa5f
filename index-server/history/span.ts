import { readInstant } from '../../contract/instants.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import type { HistoryReach, OpenVersion } from './history-store.ts';

/** The versions whose changes a request asks for. */
export interface Span {
  versions: readonly OpenVersion[];
  /** The version before the first of them; the one asked for where there is none. */
  from: string | null;
  to: string | null;
  /** False where `since` lies before the changes that are kept. */
  reached: boolean;
}

export interface KeptHistory {
  versions: readonly OpenVersion[];
  reach: HistoryReach;
  /** The version that is served. */
  served: string;
}

export interface SpanFault {
  parameter: 'since' | 'until';
  expected: string;
}

const DAY_MICROSECONDS = 86_400_000_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The versions after `since` and up to `until`: each a version, `current`, a day or a time. A day is all versions that
 * were published on it or later; a time those after it. Without `since`, the newest version alone.
 */
export function spanOf(
  kept: KeptHistory,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): Span | SpanFault {
  const { versions, reach, served } = kept;
  const first = since === undefined ? versions.length - 1 : placeAfter(kept, since);
  if (first === null) return { parameter: 'since', expected: expectedOf(kept) };
  const end = until === undefined ? versions.length : placeAfterUntil(kept, until);
  if (end === null) return { parameter: 'until', expected: expectedOf(kept) };
  const begin = Math.max(0, first);
  if (since !== undefined && (end < begin || endsBefore(since, until)))
    return { parameter: 'until', expected: `a version, day or time that is not before since (${since})` };
  const told = versions.slice(begin, Math.max(begin, end));
  const before = versions[begin]?.parent ?? versions.at(-1)?.version ?? served;
  return {
    versions: told,
    from: told[0]?.parent ?? before,
    to: told.at(-1)?.version ?? before,
    reached: since === undefined || VERSION_PATTERN.test(since) || isReached(since, reach),
  };
}

/** Whether `until` ends before `since` begins, where both are days or times: no version may lie between them. */
function endsBefore(since: string, until: string | undefined): boolean {
  const [from, to] = [readInstant(since), until === undefined ? undefined : readInstant(until)];
  if (from === undefined || to === undefined || until === undefined) return false;
  return (DAY.test(until) ? to + DAY_MICROSECONDS : to + 1) <= from;
}

/** What a refusal says of the changes that are kept. */
function expectedOf({ reach, served }: KeptHistory): string {
  if (reach.start === null) return `${served}, the served version (no changes are kept here), a day or a time`;
  return `a version from ${reach.start} to ${served}, between which changes are kept (${reach.versions} versions), a day, or an ISO 8601 time`;
}

/** Place of the first version after a moment; null for an unknown version and for no time. */
function placeAfter({ versions, reach, served }: KeptHistory, since: string): number | null {
  if (since === 'current' || since === served) return versions.length;
  if (VERSION_PATTERN.test(since)) {
    const held = versions.findIndex(({ version }) => version === since);
    const place = held >= 0 ? held + 1 : versions.findIndex(({ parent }) => parent === since);
    return place >= 0 ? place : since === reach.start ? 0 : null;
  }
  return placeOfTime(versions, since, (published, moment) => published >= moment);
}

/** Place after the last version up to a moment. */
function placeAfterUntil({ versions, reach, served }: KeptHistory, until: string): number | null {
  if (until === 'current' || until === served) return versions.length;
  if (VERSION_PATTERN.test(until)) {
    const place = versions.findIndex(({ version }) => version === until);
    return place >= 0 ? place + 1 : until === reach.start ? 0 : null;
  }
  return placeOfTime(versions, until, (published, moment) => published > moment);
}

/** Place of the first version for which `isAfter` says so: of its day where a day is given, else of its time. */
function placeOfTime(
  versions: readonly OpenVersion[],
  moment: string,
  isAfter: (published: string | number, moment: string | number) => boolean,
): number | null {
  const time = readInstant(moment);
  if (time === undefined) return null;
  const place = DAY.test(moment)
    ? versions.findIndex(({ publishedAt }) => isAfter(publishedAt.slice(0, moment.length), moment))
    : versions.findIndex(({ publishedAt }) => Date.parse(publishedAt) * 1000 > time);
  return place < 0 ? versions.length : place;
}

/** Whether the kept changes begin at the moment or before; the name of a version begins with its time. */
function isReached(since: string, { start }: HistoryReach): boolean {
  if (since === 'current') return true;
  const [, ...parts] = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z/.exec(start ?? '') ?? [];
  if (parts.length === 0) return false;
  const [year, month, day, hour, minute, second] = parts;
  const begins = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  return DAY.test(since)
    ? begins.slice(0, since.length) < since
    : Date.parse(begins) * 1000 <= (readInstant(since) ?? 0);
}
