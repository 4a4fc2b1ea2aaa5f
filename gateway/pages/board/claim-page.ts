import { getClaim } from '../../../contract/operations/claims.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { html } from '../html.ts';
import { shownName, titleWith } from '../kit/agent-text.ts';
import { copyable, record, shortId, tagged } from '../kit/parts.ts';
import { instant } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, subjectLinked, workLinked } from '../words/names.ts';
import { agentWords, withCalls } from './agent-words.ts';
import { leaseOf } from './cards.ts';
import { thingPage } from './thing-page.ts';
import { threadGiven, threadPart } from './thread-page.ts';

const TITLE_CHARACTERS = 80;

/** One claim in full, and the messages about it. */
export const claimPage = thingPage({
  id: 'page-claim',
  read: getClaim,
  title: ({ scope }) => titleWith('Work announced', scope, TITLE_CHARACTERS),
  main: async (
    claim,
    { now, reads },
  ) => html`<p>${tagged(WORDS.claim[claim.state])} ${claim.state === 'active' && html`<strong>${leaseOf(claim, now)}</strong>. `}${WORDS.claimMeaning[claim.state]}</p>
<h2>What is announced</h2>
${agentWords(claim.agentName, [
  ['Worked on', withCalls(claim.scope)],
  ['Will be done and handed back', withCalls(claim.intent)],
])}
<h2>About this announcement</h2>
${record([
  ['On', workLinked(claim)],
  ['By', agentLinked(claim.agentName)],
  ['Contact, as given', claim.agentContact === null ? 'none' : html`<bdi>${shownName(claim.agentContact)}</bdi>`],
  ['Announced', instant(claim.createdAt)],
  ['Runs until', instant(claim.leaseExpiresAt)],
  ['Renewed', `${claim.renewals} of ${claim.maxRenewals} times`],
  ['Ended with', claim.findingId === null ? 'nothing yet' : subjectLinked('finding', claim.findingId)],
  ['Id', copyable(claim.id)],
  ['Hash of its content (SHA-256)', shortId(claim.claimHash)],
])}
${threadPart('claim', claim.id, await reads.attempt(readThreads, threadGiven('claim', claim.id)))}`,
});
