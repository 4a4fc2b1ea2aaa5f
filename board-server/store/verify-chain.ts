import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { hashOf, publicEvent } from './event-chain.ts';
import { eventsBetween } from './event-store.ts';
import type { Reader } from './reader.ts';

/** Rows read at a time. */
const CHUNK_EVENTS = 5_000;
/** Further faults are only counted: after the first break in a chain few are worth reading. */
export const PROBLEMS_MAX = 20;

export interface ChainReport {
  events: number;
  /** `prevHash` of the first event: 64 zeros when the chain begins at the first event of its board. */
  begins: string | null;
  /** Time and hash of the last event. */
  head: { ts: string; hash: string } | null;
  /** Whether the hash asked for is in the chain; null when none was asked for. */
  contains: boolean | null;
  problems: string[];
}

type Link = Record<string, unknown>;

/** Checks that each event has the hash it states, follows the previous event, and is later. */
export async function verifyChain(events: AsyncIterable<Link>, contains: string | null): Promise<ChainReport> {
  const report: ChainReport = {
    events: 0,
    begins: null,
    head: null,
    contains: contains === null ? null : false,
    problems: [],
  };
  const fault = (text: string): void => {
    if (report.problems.length < PROBLEMS_MAX) report.problems.push(`event ${report.events}: ${text}`);
  };
  for await (const event of events) {
    report.events += 1;
    const { ts, hash, prevHash } = event;
    if (typeof ts !== 'string' || typeof hash !== 'string' || typeof prevHash !== 'string') {
      fault('has no ts, hash or prevHash');
      continue;
    }
    if (hashOf(event) !== hash) fault(`at ${ts} does not have the hash that it says: it was changed`);
    if (report.head === null) report.begins = prevHash;
    else {
      if (prevHash !== report.head.hash)
        fault(`at ${ts} does not follow the one before it: events are missing or moved`);
      if (ts <= report.head.ts) fault(`at ${ts} is not later than the one before it`);
    }
    if (hash === contains || prevHash === contains) report.contains = true;
    report.head = { ts, hash };
  }
  if (report.contains === false) report.problems.push(`the hash ${contains} is not in the chain`);
  return report;
}

/** The events of an NDJSON export. Throws a SyntaxError that names the line for one that is not a JSON object. */
export async function* exportedEvents(path: string): AsyncGenerator<Link> {
  let place = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    place += 1;
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // Said below, without quoting the line.
    }
    if (value === null || typeof value !== 'object') throw new SyntaxError(`line ${place} is not a JSON object`);
    yield value as Link;
  }
}

/** The stored events of a board, read a chunk at a time. */
export async function* storedEvents(db: Reader): AsyncGenerator<Link> {
  let after = -Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await eventsBetween(db, { after, until: Number.MAX_SAFE_INTEGER, limit: CHUNK_EVENTS });
    for (const row of rows) yield publicEvent(row);
    if (rows.length < CHUNK_EVENTS) return;
    after = rows.at(-1)!.ts;
  }
}
