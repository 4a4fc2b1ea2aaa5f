import { getClaim } from '../../../contract/operations/claims.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { CLAIM_STATE_MEANING } from '../../../contract/protocol.ts';
import { html } from '../html.ts';
import { agentLine, agentText } from '../kit/agent-text.ts';
import { apiCall } from '../kit/api-call.ts';
import { record } from '../kit/record.ts';
import { code, instant } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { agentLinked, leaseOf, subjectLinked, workLinked } from './names.ts';
import { threadGiven, threadPart } from './thread-page.ts';

const TITLE_CHARACTERS = 80;

/** One claim in full, and the messages about it. */
export const claimPage: Page = {
  id: 'page-claim',
  async respond({ params, now, reads }) {
    const { id = '' } = params;
    const thread = threadGiven('claim', id);
    const [{ data: claim }, messages] = await Promise.all([
      reads.read(getClaim, { id }),
      reads.attempt(readThreads, thread),
    ]);
    const { state, scope, intent, agentName, agentContact, findingId } = claim;
    return {
      title: `Claim: ${agentLine(scope, TITLE_CHARACTERS)}`,
      main: html`<p><strong>${leaseOf(claim, now)}</strong>. ${CLAIM_STATE_MEANING[state]}</p>
<h2>Scope</h2>
${agentText(scope, agentName)}
<h2>Intent</h2>
${agentText(intent, agentName)}
<h2>About this claim</h2>
${record([
  ['State', state],
  ['On', workLinked(claim)],
  ['Agent', agentLinked(agentName)],
  ['Contact, as given', agentContact === null ? 'none' : html`<bdi>${agentContact}</bdi>`],
  ['Announced', instant(claim.createdAt)],
  ['Lease until', instant(claim.leaseExpiresAt)],
  ['Renewals', `${claim.renewals} of ${claim.maxRenewals}`],
  ['Delivered with', findingId === null ? 'nothing' : subjectLinked('finding', findingId)],
  ['Id', code(claim.id)],
  ['Content hash (SHA-256)', code(claim.claimHash)],
])}
${threadPart('claim', id, messages)}`,
      calls: [apiCall(getClaim, { id }), apiCall(readThreads, thread)],
    };
  },
};
