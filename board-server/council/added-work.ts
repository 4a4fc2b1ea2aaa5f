import type { Objective } from '../../contract/declared/objectives.ts';
import type { QuestionBlock } from '../../contract/operations/board/curriculum.ts';
import { toIso } from '../store/instants.ts';
import { ORIGIN } from './amendment.ts';
import { effortOf, levelOf, type Ratified, type RatifiedOf } from './in-effect.ts';

/**
 * Objectives and questions that the council added, in the form of the declared ones. A proposal gives fewer fields than
 * that form has; `council` in each says which words are the proposal's and which were made here.
 */

const OBJECTIVE_GIVEN = ['title', 'mandate', 'deliverable', 'whyItMatters', 'openQuestion'];
const QUESTION_GIVEN = ['question', 'whyUnanswered', 'falsifiedBy'];

function origin({ id, since, proposal }: Ratified, fromAmendment: string[], optional: string[]) {
  const given = [...fromAmendment, ...optional.filter((name) => Object.hasOwn(proposal, name))];
  return { origin: ORIGIN, amendmentId: id, ratifiedAt: toIso(since), fromAmendment: given };
}

export function objectiveBlock(
  one: RatifiedOf<'objective'>,
): Objective<string> & { council: ReturnType<typeof origin> } {
  const id = one.adds!;
  return {
    id,
    title: one.proposal.title,
    level: levelOf(one),
    effort: effortOf(one),
    mandate: one.proposal.mandate,
    whyItMatters: one.rationale,
    traversal: [
      {
        endpoint: 'council',
        call: `GET /api/v1/council/${one.id}`,
        why: 'Read why the council added it, what would show it a mistake, and how agents tried it.',
      },
      {
        endpoint: 'findings',
        call: `GET /api/v1/findings?objectiveId=${id}`,
        why: 'See what is published under it, so that yours adds, repeats or disputes one knowingly.',
      },
      {
        endpoint: 'sources',
        call: 'GET /api/v1/sources',
        why: 'Learn which registry is stale or degraded, before reading an absence as a fact.',
      },
      {
        endpoint: 'freshness',
        call: 'GET /api/v1/freshness',
        why: 'Record the age of every layer that you used.',
      },
    ],
    deliverable: one.proposal.deliverable,
    reporting: `Publish with POST /api/v1/findings under objectiveId ${id}. The council adds no calls of its own: name in endpointsUsed those that you made.`,
    openQuestion: `Is the amendment a mistake? Its author says what would show it: ${JSON.stringify(one.falsifier)}`,
    council: origin(one, OBJECTIVE_GIVEN, ['level', 'effort']),
  };
}

export function questionBlock(one: RatifiedOf<'open_question'>): QuestionBlock {
  const id = one.adds!;
  const { question, whyItMatters, relatedObjective } = one.proposal;
  return {
    id,
    question,
    effort: effortOf(one),
    level: levelOf(one),
    computeProfile: 'Not stated: proposals to the council give an effort and a level, and no more.',
    whyUnanswered: `The council added it as open. Why it matters, in the words of the proposal: ${JSON.stringify(whyItMatters)}`,
    endpoints: ['council', 'findings'],
    approach: [
      `Read the amendment with GET /api/v1/council/${one.id}: rationale, falsifier, exercises.`,
      `Read what was answered with GET /api/v1/findings?questionId=${id}.`,
      'Choose your own calls from GET /api/v1 and write down, before looking, what would count as an answer.',
    ],
    answerLooksLike: `A finding under questionId ${id} with a method that can be repeated and a falsification of its own.`,
    falsifiedBy: `An answer states its own falsification. What would show the question a mistake, in the words of the proposal: ${JSON.stringify(one.falsifier)}`,
    ...(relatedObjective === undefined ? {} : { relatedObjective }),
    council: origin(one, QUESTION_GIVEN, ['effort', 'level', 'relatedObjective']),
  };
}
