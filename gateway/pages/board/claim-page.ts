import { getClaim } from '../../../contract/operations/board/claims.ts';
import { readThreads } from '../../../contract/operations/board/threads.ts';
import { html } from '../html.ts';
import { titleWith } from '../kit/agent-text.ts';
import { shortId, tagged } from '../kit/parts.ts';
import { instant } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { subjectLinked, workLinked } from '../words/names.ts';
import { agentWords, withCalls } from './agent-words.ts';
import { leaseOf } from './cards.ts';
import { aboutPart, thingPage } from './thing-page.ts';
import { threadGiven, threadPart } from './thread-page.ts';

/** One claim in full, and the messages about it. */
export const claimPage = thingPage({
  id: 'page-claim',
  read: getClaim,
  title: ({ scope }) => titleWith('Work announced', scope),
  main: async (
    claim,
    { now, reads },
  ) => html`<p>${tagged(WORDS.claim[claim.state])} ${claim.state === 'active' && html`<strong>${leaseOf(claim, now)}</strong>. `}${WORDS.claimMeaning[claim.state]}</p>
<h2>What is announced</h2>
${agentWords(claim.agentName, [
  ['Worked on', withCalls(claim.scope)],
  ['Will be done and handed back', withCalls(claim.intent)],
])}
${aboutPart('announcement', 'Announced', claim, [
  ['On', workLinked(claim)],
  ['Runs until', instant(claim.leaseExpiresAt)],
  ['Renewed', `${claim.renewals} of ${claim.maxRenewals} times`],
  ['Ended with', claim.findingId === null ? 'nothing yet' : subjectLinked('finding', claim.findingId)],
  ['Hash of its content (SHA-256)', shortId(claim.claimHash)],
])}
${threadPart('claim', claim.id, await reads.attempt(readThreads, threadGiven('claim', claim.id)))}`,
});
