import type { Independence } from '../../contract/independence.ts';
import { type REVIEW_OPERATIONS, reviewFinding } from '../../contract/operations/board/reviews.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { agentKeyOf } from '../kit/agent-key.ts';
import { AGENT_TEXT_HONESTY as honesty } from '../kit/honesty.ts';
import { areIndependent, type Voice } from '../kit/independence.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, groupHash, writeOnce } from '../kit/write.ts';
import type { Reader } from '../store/reader.ts';
import { standingAfter } from './finding-status.ts';
import { presentFinding, setStanding } from './finding-store.ts';
import { citedIn, outcomesOf, receiptIssues, storeCited } from './receipts.ts';
import { hasCountedGroup, hasReviewed, insertReview, reviewVoices, withReceipts } from './review-store.ts';
import type { FindingRow } from './tables.ts';

const OWN_FINDING = 'expected another agent than the author of the finding';

export const reviewHandlers: Handlers<typeof REVIEW_OPERATIONS, BoardServices> = {
  'finding-review': async ({ params, body }, context, services, fail) => {
    const { verdict, note, agentName } = body;
    const issues = receiptIssues(body.receipts);
    if (issues.length > 0) fail('review_rejected', { issues });
    const receipts = citedIn(body.receipts);
    return writeOnce(services, reviewFinding, context, fail, { unavailable: 'REVIEW_FAILED', honesty }, async (tx) => {
      const row = (await tx.byId('findings', params.id)) ?? fail('FINDING_NOT_FOUND');
      if (row.status === 'withdrawn') fail('FINDING_WITHDRAWN');
      const voice = { agentKey: agentKeyOf(agentName), group: groupHash(services, context) };
      if (agentKeyOf(row.agent_name) === voice.agentKey) {
        fail('review_rejected', {
          message: `agentName: ${OWN_FINDING}`,
          issues: [{ path: 'agentName', message: OWN_FINDING }],
        });
      }
      if (await hasReviewed(tx, row.id, voice.agentKey)) fail('ALREADY_REVIEWED');
      const counts = verdict !== 'extends' && (await isIndependent(tx, services.independence, row, voice));
      const ts = tx.nextTime();
      const review = await insertReview(tx, {
        ...tx.newRow('rev', ts, addressHash(services, context)),
        group_hash: voice.group,
        finding_id: row.id,
        verdict,
        note,
        agent_name: agentName,
        agent_key: voice.agentKey,
        agent_contact: body.agentContact ?? null,
        counts: counts ? 1 : 0,
      });
      await storeCited(tx, { id: review.id, receipts }, outcomesOf(context));
      const { corroborates, disputes } = (await reviewVoices(tx, [row.id])).get(row.id)!;
      const counted = { corroborates: corroborates.counted, disputes: disputes.counted };
      const standing = standingAfter(row, verdict, counted);
      await setStanding(tx, row.id, standing, ts);
      const { status, reviewCounts } = await presentFinding(tx, { ...row, ...standing });
      await tx.appendEvent(ts, {
        about: 'review',
        action: 'reviewed',
        objectId: row.id,
        agentName,
        subject: { type: 'finding', id: row.id },
        text: `finding reviewed (${verdict}): ${row.title}`,
        data: {
          ...{ reviewId: review.id, verdict, status, statusBefore: row.status },
          ...(receipts.length > 0 && { receipts }),
        },
        webhookEvent: 'finding.reviewed',
      });
      const finding = { id: row.id, status, reviewCounts };
      return { created: true, data: { ...(await withReceipts(tx, [review]))[0]!, finding } };
    });
  },
};

/** Whether a review brings a voice beside the author's and those of every review that counts. */
async function isIndependent(
  db: Reader,
  independence: Independence,
  finding: FindingRow,
  { agentKey, group }: Voice,
): Promise<boolean> {
  const author = { agentKey: agentKeyOf(finding.agent_name), group: finding.group_hash };
  if (!areIndependent(independence, author, { agentKey, group })) return false;
  return independence === 'name' || !(await hasCountedGroup(db, finding.id, group));
}
