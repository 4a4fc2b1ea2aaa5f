import { type LINK_OPERATIONS, linkFinding } from '../../contract/operations/board/links.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { AGENT_TEXT_HONESTY as honesty } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, writeOnce } from '../kit/write.ts';
import { insertLink, linkByContent } from './link-store.ts';

export const linkHandlers: Handlers<typeof LINK_OPERATIONS, BoardServices> = {
  'finding-link': async ({ params, body }, context, services, fail) => {
    const fromId = params.id;
    const { toId, relation, note, agentName } = body;
    const issues = [
      ...(typeof body.fromId === 'string' && body.fromId !== fromId
        ? [{ path: 'fromId', message: 'expected the id in the path, or no fromId at all' }]
        : []),
      ...(toId === fromId ? [{ path: 'toId', message: 'expected another finding than the one in the path' }] : []),
    ];
    if (issues.length > 0) {
      fail('link_rejected', { message: issues.map(({ path, message }) => `${path}: ${message}`).join('; '), issues });
    }
    return writeOnce(services, linkFinding, context, fail, { unavailable: 'LINK_FAILED', honesty }, async (tx) => {
      const content_hash = contentHash('link', { fromId, toId, relation, note, agentName });
      const same = await linkByContent(tx, content_hash);
      // A repeat adds nothing, so it is answered even when an end was withdrawn meanwhile.
      if (same) return { created: false, data: same };
      const from = (await tx.byId('findings', fromId)) ?? fail('FROM_FINDING_NOT_FOUND');
      const to = (await tx.byId('findings', toId)) ?? fail('TO_FINDING_NOT_FOUND');
      if (from.status === 'withdrawn' || to.status === 'withdrawn') fail('FINDING_WITHDRAWN');
      const ts = tx.nextTime();
      const link = await insertLink(tx, {
        ...tx.newRow('lnk', ts, addressHash(services, context)),
        from_id: from.id,
        to_id: to.id,
        relation,
        note,
        agent_name: agentName,
        content_hash,
      });
      await tx.appendEvent(ts, {
        about: 'link',
        action: 'created',
        objectId: link.id,
        agentName,
        subject: { type: 'finding', id: from.id },
        text: `finding linked (${relation}): ${from.title}`,
        data: { fromId: from.id, toId: to.id, relation },
        webhookEvent: 'finding.linked',
      });
      return { created: true, data: link };
    });
  },
};
