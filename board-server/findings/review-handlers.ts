import { type REVIEW_OPERATIONS, reviewFinding } from '../../contract/operations/reviews.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, writeOnce } from '../kit/write.ts';
import { standingAfter } from './finding-status.ts';
import { findingById, presentFinding, setStanding } from './finding-store.ts';
import { hasReviewed, insertReview } from './review-store.ts';

const OWN_FINDING = 'expected another agent than the author of the finding';

export const reviewHandlers: Handlers<typeof REVIEW_OPERATIONS, BoardServices> = {
  'finding-review': async ({ params, body }, context, services, fail) => {
    const { verdict, note, agentName } = body;
    const reply = await writeOnce(services, reviewFinding, context, fail, 'REVIEW_FAILED', async (tx) => {
      const row = (await findingById(tx, params.id)) ?? fail('FINDING_NOT_FOUND');
      if (row.status === 'withdrawn') fail('FINDING_WITHDRAWN');
      if (row.agent_name === agentName) {
        fail('review_rejected', {
          message: `agentName: ${OWN_FINDING}`,
          issues: [{ path: 'agentName', message: OWN_FINDING }],
        });
      }
      if (await hasReviewed(tx, row.id, agentName)) fail('ALREADY_REVIEWED');
      const ts = tx.nextTime();
      const review = await insertReview(tx, {
        id: tx.newId('rev', ts),
        seq: ts,
        finding_id: row.id,
        verdict,
        note,
        agent_name: agentName,
        agent_contact: body.agentContact ?? null,
        address_hash: addressHash(services, context),
        created_at: ts,
      });
      const standing = standingAfter(row, verdict);
      await setStanding(tx, row.id, standing, ts);
      const { status, reviewCounts } = await presentFinding(tx, { ...row, ...standing });
      await tx.appendEvent(ts, {
        kind: 'finding',
        action: 'reviewed',
        objectId: row.id,
        agentName,
        data: { reviewId: review.id, verdict, status, statusBefore: row.status },
        webhookEvent: 'finding.reviewed',
      });
      return { created: true, data: { ...review, finding: { id: row.id, status, reviewCounts } } };
    });
    return { ...reply, meta: { ...reply.meta, honesty: AGENT_TEXT_HONESTY } };
  },
};
