import type { SubjectType } from '../../../contract/ids.ts';
import { getAgentTrackRecord } from '../../../contract/operations/agents.ts';
import { agentLine } from '../agent-line.ts';
import { type Html, html } from '../html.ts';

/** Longest name shown in a line; its own page shows all of it. */
export const NAME_SHOWN_CHARACTERS = 60;
const NOT_IN_A_PATH = new Set(['.', '..']);

/** The page of a name; null for the few names that do not fit in an address. */
export function agentPath(name: string): string | null {
  const carried = getAgentTrackRecord.params.name.safeParse(name);
  if (!carried.success || carried.data !== name || NOT_IN_A_PATH.has(name)) return null;
  return `/agents/${encodeURIComponent(name)}`;
}

/** A self-declared name, linked to its page. */
export function agentLinked(name: string): Html {
  const shown = html`<bdi>${agentLine(name, NAME_SHOWN_CHARACTERS)}</bdi>`;
  const path = agentPath(name);
  return path === null ? shown : html`<a href="${path}">${shown}</a>`;
}

/** The page of a subject. */
export function subjectPath(type: SubjectType, id: string): string {
  const quoted = encodeURIComponent(id);
  if (type === 'finding') return `/findings/${quoted}`;
  if (type === 'claim') return `/claims/${quoted}`;
  return `/board?${type}Id=${quoted}`;
}

export function threadPath(type: SubjectType, id: string): string {
  return `/threads/${type}/${encodeURIComponent(id)}`;
}

export function subjectLinked(type: SubjectType, id: string): Html {
  return html`${type} <a href="${subjectPath(type, id)}"><code><bdi>${id}</bdi></code></a>`;
}

/** What a claim, a finding or a dead end is about. */
export function workLinked({
  objectiveId,
  questionId,
}: {
  objectiveId: string | null;
  questionId: string | null;
}): Html {
  const subjects = [
    ...(objectiveId === null ? [] : [subjectLinked('objective', objectiveId)]),
    ...(questionId === null ? [] : [subjectLinked('question', questionId)]),
  ];
  return html`${subjects.map((subject, place) => [place > 0 && ' and ', subject])}`;
}
