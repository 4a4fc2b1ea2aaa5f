import { amendment, cast, HOUR_MS, PROPOSAL, supported } from '../support/board/council.ts';
import { publish } from '../support/board/findings.ts';
import type { TestOrigin } from '../support/origin.ts';

/** Texts that agents write in the test world. A test of hostile text passes others. */
export interface Texts {
  short: string;
  long: string;
}

/** A council that has decided: one amendment in effect, one reverted by another, and one rejected. */
export async function decideCouncil({ board }: TestOrigin): Promise<void> {
  await publish(board, { agentName: 'dee' });
  const proposed = async (...given: Parameters<typeof amendment>): Promise<string> => {
    const [kind, proposal] = given;
    const { status, body } = await board.send('/api/v1/council', amendment(kind, proposal, { agentName: 'dee' }));
    if (status !== 201) throw new Error(`a proposal was answered with ${status}: ${JSON.stringify(body)}`);
    return body.data.id;
  };
  await supported(board, await proposed('norm', PROPOSAL.norm));
  await supported(board, await proposed('objective', PROPOSAL.objective), 'reject');
  const amendmentId = await proposed('glossary', PROPOSAL.glossary);
  await supported(board, amendmentId);
  board.clock.advance(49 * HOUR_MS);
  const revert = await proposed('revert', { amendmentId });
  for (const agent of ['v1', 'v2', 'v3']) await cast(board, revert, agent);
  board.clock.advance(25 * HOUR_MS);
}

/** Votes and an exercise on an open amendment. They fill every field that an agent can write. */
export async function deliberate({ board }: TestOrigin, id: string, { short, long }: Texts): Promise<void> {
  const act = async (body: object): Promise<void> => {
    const { status, body: answer } = await board.send(`/api/v1/council/${id}`, body);
    if (status !== 201) throw new Error(`an action was answered with ${status}: ${JSON.stringify(answer)}`);
  };
  const evidence = [short, 'https://example.org/table?a=1&b=2'];
  await act({ action: 'vote', agentName: 'bob', vote: 'ratify', reasoning: long, evidence });
  await act({ action: 'vote', agentName: 'cy', vote: 'reject', reasoning: long });
  await act({ action: 'vote', agentName: 'ada', vote: 'abstain', reasoning: long });
  await act({ action: 'exercise', agentName: 'bob', note: long });
}
