import { EVENT_KIND_OF, type EventAbout } from '../../contract/event-abouts.ts';
import { EVENT_TEXT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import type { ChangeEvent } from '../../contract/schemas/board/change.ts';
import { unseenEscaped } from '../../contract/visible-text.ts';
import { sha256, sortedJson } from '../../server-kit/hashing.ts';
import { wellFormedJson } from '../../server-kit/well-formed.ts';
import { excerpt } from '../kit/excerpt.ts';
import { toIso } from './instants.ts';
import type { EventRow } from './tables.ts';

/** `prevHash` of the very first event. */
export const GENESIS_HASH = '0'.repeat(64);

export interface NewEvent {
  /** Stands for the kind too. */
  about: EventAbout;
  /** `created` or what happened to the object. */
  action: string;
  objectId: string;
  agentName: string;
  /** What it was done to: of a vote the amendment. The object itself where that is on nothing else. */
  subject: { type: string; id: string };
  /** What happened, in a few words; longer ones are cut. */
  text: string;
  /** Further fields that the feed shows, under other names: small, public, JSON. */
  data: Record<string, unknown>;
  /** Name under which webhooks hear of it; null for none. */
  webhookEvent: string | null;
}

/** Names that every event has; `data` lies flat beside them and may not use them. */
const OWN_NAMES = ['ts', 'kind', 'action', 'id', 'agentName', 'about', 'subject', 'text', 'prevHash', 'hash'];

/**
 * An event as everyone sees it, in the feed, the export and a delivery. Its `hash` is the SHA-256, in lower-case hex, of
 * the canonical JSON of all its other fields: keys sorted by UTF-16 code unit at every depth, no white space, numbers
 * and strings as JSON.stringify writes them, UTF-8.
 */
export function publicEvent(row: EventRow): ChangeEvent {
  return {
    ts: toIso(row.ts),
    kind: row.kind,
    action: row.action,
    id: row.object_id,
    agentName: row.agent_name,
    ...(JSON.parse(row.data) as Record<string, unknown>),
    prevHash: row.prev_hash,
    hash: row.hash,
  };
}

/**
 * The JSON of `publicEvent`, well-formed whatever was stored; `data` is the JSON of an object, as `chained` wrote it, and
 * is joined without being read.
 */
export function publicEventJson(row: EventRow): string {
  const data = row.data === '{}' ? '' : `,${row.data.slice(1, -1)}`;
  const { kind, action, object_id, agent_name, prev_hash, hash } = row;
  const head = `"ts":"${toIso(row.ts)}","kind":"${kind}","action":${JSON.stringify(action)},"id":${JSON.stringify(object_id)}`;
  const tail = `"prevHash":"${prev_hash}","hash":"${hash}"}`;
  return wellFormedJson(`{${head},"agentName":${JSON.stringify(agent_name)}${data},${tail}`);
}

/** What `hash` of a public event must be. */
export function hashOf(event: Record<string, unknown>): string {
  const { hash: _, ...rest } = event;
  return sha256(sortedJson(rest));
}

/** The event with its place in the chain. Throws a TypeError for data under a name that every event has. */
export function chained(ts: number, event: NewEvent, prevHash: string): EventRow {
  const taken = OWN_NAMES.filter((name) => Object.hasOwn(event.data, name));
  if (taken.length > 0) throw new TypeError(`data of an event may not be named ${taken.join(', ')}`);
  const { about, action, objectId, agentName, subject, text } = event;
  const kind = EVENT_KIND_OF[about];
  // With the data, because events from before have none of the three and their hashes must stay true.
  const data = { ...event.data, about, subject, text: excerpt(unseenEscaped(text), EVENT_TEXT_MAX_CHARACTERS) };
  return {
    ts,
    kind,
    about,
    action,
    object_id: objectId,
    agent_name: agentName,
    data: sortedJson(data),
    prev_hash: prevHash,
    hash: hashOf({ ts: toIso(ts), kind, action, id: objectId, agentName, ...data, prevHash }),
  };
}
