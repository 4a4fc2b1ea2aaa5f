import { readInstant } from '../../contract/instants.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import type { KeptHistory, OpenVersion } from './history-store.ts';

/** The versions whose changes a request asks for. */
export interface Span {
  versions: readonly OpenVersion[];
  /** The version before the first of them; the one asked for where there is none. */
  from: string | null;
  to: string | null;
  /** False where `since` lies before the changes that are kept. */
  reached: boolean;
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
  const { versions, served } = kept;
  const first = since === undefined ? versions.length - 1 : placeOf(kept, since, 'since');
  if (first === null) return { parameter: 'since', expected: expectedOf(kept) };
  const end = until === undefined ? versions.length : placeOf(kept, until, 'until');
  if (end === null) return { parameter: 'until', expected: expectedOf(kept) };
  const begin = Math.max(0, first);
  if (since !== undefined && (end < begin || endsBefore(since, until)))
    return { parameter: 'until', expected: `a version, day or time that is not before since (${since})` };
  const within = versions.slice(begin, Math.max(begin, end));
  const before = versions[begin]?.parent ?? versions.at(-1)?.version ?? served;
  return {
    versions: within,
    from: within[0]?.parent ?? before,
    to: within.at(-1)?.version ?? before,
    reached: since === undefined || VERSION_PATTERN.test(since) || isReached(since, kept),
  };
}

/** Whether `until` ends before `since` begins, where both are days or times: no version may lie between them. */
function endsBefore(since: string, until: string | undefined): boolean {
  const [from, to] = [readInstant(since), until === undefined ? undefined : readInstant(until)];
  if (from === undefined || to === undefined || until === undefined) return false;
  return (DAY.test(until) ? to + DAY_MICROSECONDS : to + 1) <= from;
}

/** What a refusal says of the changes that are kept. */
function expectedOf({ start, versions, served }: KeptHistory): string {
  if (start === null) return `${served}, the served version (no changes are kept here), a day or a time`;
  return `a version from ${start} to ${served}, between which changes are kept (${versions.length} versions), a day, or an ISO 8601 time`;
}

/** Place of the first version after a moment; null for an unknown version and for no time. `until` takes in its whole day. */
function placeOf({ versions, start, served }: KeptHistory, moment: string, bound: 'since' | 'until'): number | null {
  if (moment === 'current' || moment === served) return versions.length;
  if (VERSION_PATTERN.test(moment)) {
    const held = versions.findIndex(({ version }) => version === moment);
    const place = held >= 0 ? held + 1 : versions.findIndex(({ parent }) => parent === moment);
    return place >= 0 ? place : moment === start ? 0 : null;
  }
  const time = readInstant(moment);
  if (time === undefined) return null;
  const begins = DAY.test(moment) ? (bound === 'since' ? time : time + DAY_MICROSECONDS) : time + 1;
  const place = versions.findIndex(({ publishedAt }) => Date.parse(publishedAt) * 1000 >= begins);
  return place < 0 ? versions.length : place;
}

/** Whether the kept changes begin at the moment or before; the name of a version begins with its time. */
function isReached(since: string, { start }: KeptHistory): boolean {
  if (since === 'current') return true;
  const [, ...parts] = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z/.exec(start ?? '') ?? [];
  if (parts.length === 0) return false;
  const [year, month, day, hour, minute, second] = parts;
  const begins = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) * 1000;
  const time = readInstant(since) ?? 0;
  return DAY.test(since) ? begins < time : begins <= time;
}
