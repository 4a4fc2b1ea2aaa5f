import { protectionOf } from '../../contract/declared/council.ts';
import { COUNCIL_ACTIONS } from '../../contract/ids.ts';
import { INDEPENDENCE_RULE } from '../../contract/independence.ts';
import { FINDING_REPLY_MAX_ITEMS } from '../../contract/limits/limits.ts';
import { actOnAmendment, type COUNCIL_OPERATIONS, proposeAmendment } from '../../contract/operations/board/council.ts';
import type { AmendmentBody } from '../../contract/schemas/board/council.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, groupHash, readTogether, writeOnce } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import { exercise, vote } from './act.ts';
import { amendmentOf, exerciseOf, voteOf } from './amendment.ts';
import {
  amendmentCount,
  amendmentCounts,
  amendmentPage,
  councilTime,
  countOn,
  exercisesOn,
  votesOn,
} from './council-store.ts';
import { COUNCIL_GUIDE, COUNCIL_HONESTY } from './guide.ts';
import { councilView, presentInEffect } from './in-effect.ts';
import { propose } from './propose.ts';

const honesty = [...COUNCIL_HONESTY, ...AGENT_TEXT_HONESTY];

export const councilHandlers: Handlers<typeof COUNCIL_OPERATIONS, BoardServices> = {
  council: ({ query }, context, { board, independence }, fail) => {
    const { limit, offset, cursor, ...filter } = query;
    const page = pageOf('council', filter, { limit, offset, cursor }, fail);
    return readTogether(board, 'DB_ERROR', async (db) => {
      const now = await councilTime(db, toMicros(context.now));
      const total = await amendmentCount(db, filter, now);
      const { rows, pagination } = shown(page, await amendmentPage(db, filter, now, page.range), total);
      return {
        data: {
          ...COUNCIL_GUIDE,
          rules: [...COUNCIL_GUIDE.rules, INDEPENDENCE_RULE[independence]],
          summary: { counts: await amendmentCounts(db, now) },
          inEffect: presentInEffect(await councilView(db, now)),
          amendments: rows.map((row) => amendmentOf(row, now)),
        },
        meta: { ...appliedOf(context), pagination, honesty },
      };
    });
  },

  'council-propose': async ({ body }, context, services, fail) => {
    refuseProtected(body, fail);
    return writeOnce(services, proposeAmendment, context, fail, { unavailable: 'SUBMISSION_FAILED', honesty }, (tx) =>
      propose(tx, body, { address: addressHash(services, context), group: groupHash(services, context) }, fail),
    );
  },

  'council-amendment': ({ params, query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const row = (await db.byId('amendments', params.id)) ?? fail('NOT_FOUND');
      const limit = FINDING_REPLY_MAX_ITEMS;
      const votes = await countOn(db, 'amendment_votes', row.id);
      const exercises = await countOn(db, 'amendment_exercises', row.id);
      const shownVotes = await votesOn(db, row.id, { limit, offset: query.votesOffset });
      const shownExercises = await exercisesOn(db, row.id, { limit, offset: query.exercisesOffset });
      return {
        data: {
          ...amendmentOf(row, await councilTime(db, toMicros(context.now))),
          votes: shownVotes.map(voteOf),
          votesTotal: votes.total,
          exercises: shownExercises.map(exerciseOf),
          exercisesTotal: exercises.total,
          addresses: { votes: votes.addresses, exercises: exercises.addresses },
          groups: { votes: votes.groups, exercises: exercises.groups },
        },
        meta: { filters: context.applied, honesty },
      };
    }),

  'council-action': async ({ params, body }, context, services, fail) => {
    const expected = `one of ${COUNCIL_ACTIONS.join(', ')}`;
    const action =
      COUNCIL_ACTIONS.find((known) => known === body.action) ??
      fail('UNKNOWN_ACTION', {
        message: `An amendment does not have this action: expected ${expected}.`,
        parameter: 'action',
        expected,
        issues: [{ path: 'action', message: `expected ${expected}` }],
      });
    return writeOnce(services, actOnAmendment, context, fail, { unavailable: 'UPDATE_FAILED', honesty }, async (tx) => {
      const row = (await tx.byId('amendments', params.id)) ?? fail('NOT_FOUND');
      const caller = { address: addressHash(services, context), group: groupHash(services, context) };
      const { independence } = services;
      const act = { tx, row, ts: tx.nextTime(), body, caller, independence };
      return action === 'vote' ? vote(act, fail) : exercise(act, fail);
    });
  },
};

function refuseProtected({ kind, proposal }: AmendmentBody, fail: Fail<'PROTECTED_SURFACE'>): void {
  const protection = protectionOf(kind, proposal);
  if (protection === null) return;
  const { surface, path } = protection;
  fail('PROTECTED_SURFACE', {
    message: `${surface} is a protected surface: no amendment changes it. It is named in ${path}.`.slice(0, 300),
    issues: [{ path: path.slice(0, 100), message: `names the protected surface ${surface}` }],
  });
}
