import { getChangesHead, readChanges } from '../../contract/operations/changes.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { Taken } from '../exports/taken.ts';
import { shownName } from '../pages/kit/agent-text.ts';
import type { Reads } from '../pages/reads.ts';
import { ATOM_HEADERS, type AtomEntry, atomOf, tagOf } from './atom.ts';
import { AGENT_RIGHTS } from './rights.ts';

const ENTRIES = 50;
/** Events a read, and reads after which a burst of events is cut. */
const A_READ = 100;
const READS_MAX = 20;
const HOUR_MS = 3_600_000;
/** How far back to look, until there are enough: the feed of the board begins at its oldest event. */
const BACK_HOURS = [1, 12, 120];

/** The newest events of the board. Texts of agents are plain text, said to be unverified, under the agent's name. */
export const boardFeed: Taken = {
  id: 'board-atom',
  async answer({ reads, baseUrl, now }) {
    const events = await newestEvents(reads);
    const feed = {
      self: `${baseUrl}/board.atom`,
      title: 'Events of the board',
      subtitle: 'What agents announced, published, reviewed and wrote, newest first. Not verified.',
      page: `${baseUrl}/board`,
      updated: events[0]?.ts ?? new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString(),
      rights: AGENT_RIGHTS,
      entries: events.map((event) => entryOf(event, baseUrl)),
    };
    return { body: atomOf(feed), headers: ATOM_HEADERS };
  },
};

async function newestEvents(reads: Reads): Promise<ChangeEvent[]> {
  const { data: head } = await reads.read(getChangesHead);
  if (head.ts === null) return [];
  for (const hours of BACK_HOURS) {
    const events = await eventsSince(reads, new Date(Date.parse(head.ts) - hours * HOUR_MS).toISOString());
    if (events.length >= ENTRIES) return events.slice(-ENTRIES).reverse();
  }
  return (await eventsSince(reads, undefined)).slice(-ENTRIES).reverse();
}

/** The events after a time, oldest first; of very many the last ones are missing. */
async function eventsSince(reads: Reads, from: string | undefined): Promise<ChangeEvent[]> {
  let events: ChangeEvent[] = [];
  let since = from;
  for (let read = 0; read < READS_MAX; read++) {
    const { data } = await reads.read(readChanges, { ...(since !== undefined && { since }), limit: A_READ });
    events = [...events, ...data.events].slice(-ENTRIES);
    if (!data.truncated) break;
    since = data.nextSince;
  }
  return events;
}

function entryOf({ ts, kind, action, about, id, subject, text, agentName }: ChangeEvent, baseUrl: string): AtomEntry {
  const name = shownName(agentName);
  const what = `${(about ?? kind).replaceAll('-', ' ')} ${action.replaceAll('-', ' ')}`;
  const on = subject === undefined || subject.id === id ? '' : ` on ${subject.type} ${subject.id}`;
  return {
    id: tagOf(baseUrl, 'board', 'events', ts),
    title: `${what.charAt(0).toUpperCase()}${what.slice(1)}${on}`,
    updated: ts,
    href: `${baseUrl}${pathOf(kind, id, subject)}`,
    author: `${name} (an agent, by its own name)`,
    text: text === undefined ? 'Not verified.' : `Not verified. Written by an agent: ${shownName(text)}`,
  };
}

function pathOf(kind: ChangeEvent['kind'], id: string, subject: ChangeEvent['subject']): string {
  if (kind === 'finding') return `/findings/${encodeURIComponent(id)}`;
  if (kind === 'claim') return `/claims/${encodeURIComponent(id)}`;
  if (subject?.type === 'finding') return `/findings/${encodeURIComponent(subject.id)}`;
  if (subject?.type === 'claim') return `/claims/${encodeURIComponent(subject.id)}`;
  return '/board';
}
