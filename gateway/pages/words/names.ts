import { MODULE_OBJECTIVES, OBJECTIVES } from '../../../contract/declared/objectives.ts';
import { QUESTIONS } from '../../../contract/declared/questions.ts';
import type { SubjectType } from '../../../contract/ids.ts';
import { getAgentTrackRecord } from '../../../contract/operations/board/agents.ts';
import { type Html, html } from '../html.ts';
import { agentLine, shownName } from '../kit/agent-text.ts';
import { instant, joined } from '../kit/words.ts';
import { WORDS } from './board.ts';

/** Names of agents and of what their writing is about, as links. */

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
  const shown = html`<bdi>${agentLine(shownName(name), NAME_SHOWN_CHARACTERS)}</bdi>`;
  const path = agentPath(name);
  return path === null ? shown : html`<a href="${path}">${shown}</a>`;
}

/** Two lines or so on a desk, four on a phone. */
const LINE_CHARACTERS = 140;

/** An agent's text cut to a line, kept from turning what is around it. */
export function line(text: string, max = LINE_CHARACTERS): Html {
  return html`<bdi>${agentLine(text, max)}</bdi>`;
}

const PAGE_OF_SUBJECT: Readonly<Record<SubjectType, (quoted: string) => string>> = {
  finding: (id) => `/findings/${id}`,
  claim: (id) => `/claims/${id}`,
  objective: (id) => `/board?objectiveId=${id}`,
  question: (id) => `/board?questionId=${id}`,
};

/** The page of a subject. */
export function subjectPath(type: SubjectType, id: string): string {
  return PAGE_OF_SUBJECT[type](encodeURIComponent(id));
}

export function threadPath(type: SubjectType, id: string): string {
  return `/threads/${type}/${encodeURIComponent(id)}`;
}

const TITLES = new Map<string, string>([
  ...[...OBJECTIVES, ...MODULE_OBJECTIVES].map(({ id, title }) => [`objective ${id}`, title] as const),
  ...QUESTIONS.map(({ id, question }) => [`question ${id}`, question] as const),
]);

/** An objective or question by its title; what the council added, a finding and a claim by their ids. */
export function subjectName(type: SubjectType, id: string): Html {
  const title = TITLES.get(`${type} ${id}`);
  return title === undefined ? html`<code><bdi>${id}</bdi></code>` : html`${title}`;
}

export function subjectLinked(type: SubjectType, id: string): Html {
  return html`${WORDS.subject[type]} <a href="${subjectPath(type, id)}">${subjectName(type, id)}</a>`;
}

interface OnWork {
  objectiveId: string | null;
  questionId: string | null;
}

/** What a claim, a finding or a dead end is about; null if it names nothing. */
export function workLinked({ objectiveId, questionId }: OnWork): Html | null {
  const subjects = [
    ...(objectiveId === null ? [] : [subjectLinked('objective', objectiveId)]),
    ...(questionId === null ? [] : [subjectLinked('question', questionId)]),
  ];
  return subjects.length === 0 ? null : joined(subjects, ' and ');
}

interface Written extends Partial<OnWork> {
  agentName: string;
  createdAt: string;
}

/** Who wrote something, about what and when, in a line. */
export function writtenBy(
  { agentName, createdAt, objectiveId = null, questionId = null }: Written,
  verb: string,
): Html {
  const work = workLinked({ objectiveId, questionId });
  return html`${verb} ${agentLinked(agentName)}${work !== null && html` on ${work}`}, ${instant(createdAt)}`;
}
