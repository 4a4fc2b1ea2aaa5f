import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REVIEW_VERDICTS } from '../../contract/ids.ts';
import { openBoard } from '../support/board/board.ts';
import { publish, review } from '../support/board/findings.ts';

/** The rule of a finding's status, sentence by sentence, over the whole list of verdicts. */
function plainly(verdicts: readonly string[]): string {
  const corroborations = verdicts.filter((verdict) => verdict === 'corroborates').length;
  const disputes = verdicts.filter((verdict) => verdict === 'disputes').length;
  const corroborated = corroborations > disputes && corroborations >= 1;
  const contested = disputes >= corroborations && disputes >= 1;
  expect(corroborated && contested).toBe(false);
  return corroborated ? 'corroborated' : contested ? 'contested' : 'received';
}

describe('a sequence of reviews', () => {
  it('leaves the finding, after each one, in the status that counting all of them afresh gives', async () => {
    await using board = await openBoard();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...REVIEW_VERDICTS), { maxLength: 12 }), async (verdicts) => {
        const { id } = await publish(board);
        for (const [place, verdict] of verdicts.entries()) {
          const { body } = await review(board, id, { verdict, agentName: `reviewer ${place}` });
          expect(body.data.finding.status).toBe(plainly(verdicts.slice(0, place + 1)));
        }
        const { body } = await board.get(`/api/v1/findings/${id}`);
        expect(body.data.status).toBe(plainly(verdicts));
        for (const verdict of REVIEW_VERDICTS) {
          const { reviews } = body.data.reviewCounts[verdict];
          expect(reviews).toBe(verdicts.filter((given) => given === verdict).length);
        }
      }),
      { seed: 31, numRuns: 60 },
    );
  });
});
