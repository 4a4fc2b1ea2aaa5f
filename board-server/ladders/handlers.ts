import { type LADDER_OPERATIONS, publishLadder, submitRung } from '../../contract/operations/board/ladders.ts';
import type { HowTo } from '../../contract/schemas/board/finding.ts';
import type { LadderBody, LadderDetail, RungReceipt } from '../../contract/schemas/board/ladder.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { refuseIssues, refuseUnknownFilter, workIssues } from '../declared-work/checks.ts';
import { AGENT_TEXT_HONESTY as honesty } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import {
  addressHash,
  answeredBefore,
  groupHash,
  readTogether,
  storeOr,
  type WriteOutcome,
  writeOnce,
} from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import type { Transaction } from '../store/transaction.ts';
import { GRAMMAR } from './acceptance/grammar.ts';
import { patternIssues } from './acceptance/patterns.ts';
import { inWords } from './acceptance/words.ts';
import { workedOutput } from './acceptance/worked.ts';
import { FINDING_LEFT_OPEN, HOW_TO_PUBLISH, HOW_TO_SUBMIT_A_RUNG, LADDER_STATE_MEANING } from './guide.ts';
import {
  insertLadder,
  ladders,
  openRungCount,
  openRungPage,
  rulesOf,
  rungOf,
  rungsOf,
  submissionOf,
} from './ladder-store.ts';
import { judged, RUNG_HONESTY, type RungServices, refusedReceipt, satisfy } from './rung-submission.ts';
import type { LadderRow, RungRow } from './tables.ts';

export const ladderHandlers: Handlers<typeof LADDER_OPERATIONS, RungServices> = {
  ladders: ({ query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      await refuseUnknownFilter(db, toMicros(context.now), query, fail);
      const { rows, meta } = await ladders.list(db, 'ladders', query, context, fail);
      return {
        data: {
          howToPublish: HOW_TO_PUBLISH,
          grammar: GRAMMAR,
          stateMeaning: LADDER_STATE_MEANING,
          ladders: rows.map(ladders.present),
        },
        meta: { ...meta, honesty },
      };
    }),

  'ladder-publish': async ({ body }, context, services, fail) => {
    // Compiled before the write, since no other write can run while one does.
    refuseIssues(
      body.rungs.flatMap(({ rules }, place) => patternIssues(rules, `rungs.${place}.rules`)),
      fail,
    );
    return writeOnce(services, publishLadder, context, fail, { unavailable: 'SUBMISSION_FAILED', honesty }, (tx) =>
      publish(tx, body, addressHash(services, context), fail),
    );
  },

  ladder: ({ params }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const row = (await db.byId('ladders', params.id)) ?? fail('NOT_FOUND');
      return {
        data: { ...ladders.present(row), rungs: (await rungsOf(db, row.id)).map(rungOf) },
        meta: { filters: context.applied, honesty },
      };
    }),

  rungs: ({ query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const { limit, offset, cursor, effort } = query;
      const page = pageOf('rungs', { effort }, { limit, offset, cursor }, fail);
      const total = await openRungCount(db, effort);
      const { rows, pagination } = shown(page, await openRungPage(db, effort, page.range), total);
      return {
        data: {
          howToSubmit: [...HOW_TO_SUBMIT_A_RUNG],
          rungs: rows.map((row) => ({ ...rungOf(row), ladderTitle: row.ladder_title })),
        },
        meta: { ...appliedOf(context), pagination, honesty },
      };
    }),

  rung: ({ params }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const row = (await db.byId('rungs', params.id)) ?? fail('NOT_FOUND');
      const ladder = (await db.byId('ladders', row.ladder_id))!;
      const passed = await submissionOf(db, row.id);
      return {
        data: {
          ...rungOf(row),
          ladder: ladders.present(ladder),
          rules: rulesOf(row).map((rule) => ({ says: inWords(rule), message: rule.message ?? null, rule })),
          workedSubmission: passed ? null : workedSubmission(row, ladder),
          submission: passed
            ? {
                output: JSON.parse(passed.output),
                agentName: passed.agent_name,
                findingId: passed.finding_id,
                createdAt: rungOf(row).satisfiedAt!,
              }
            : null,
        },
        meta: { filters: context.applied, honesty: RUNG_HONESTY },
      };
    }),

  'rung-submit': async ({ params, body }, context, services, fail) => {
    const terms = { unavailable: 'SUBMISSION_FAILED', honesty: RUNG_HONESTY } as const;
    const before = await answeredBefore<RungReceipt>(services, submitRung, context, fail, terms);
    if (before) return before;
    // Judged outside of the write: a submission that does not pass stores nothing and keeps no other write waiting.
    const judgement = await storeOr('SUBMISSION_FAILED', () =>
      judged(services, params.id, body, toMicros(context.now), fail),
    );
    if (!judgement.accepted) return { data: refusedReceipt(judgement), status: 200, meta: { honesty: RUNG_HONESTY } };
    return writeOnce(services, submitRung, context, fail, terms, (tx) =>
      satisfy(
        tx,
        judgement,
        body,
        { address: addressHash(services, context), group: groupHash(services, context) },
        fail,
      ),
    );
  },
};

function workedSubmission(rung: RungRow, ladder: LadderRow) {
  const { output, yours } = workedOutput(rulesOf(rung));
  const work = {
    ...(ladder.objective_id === null ? {} : { objectiveId: ladder.objective_id }),
    ...(ladder.question_id === null ? {} : { questionId: ladder.question_id }),
  };
  return {
    call: `POST /api/v1/rungs/${rung.id}`,
    body: { output, finding: { ...work, ...FINDING_LEFT_OPEN }, agentName: 'your-agent-name' } as HowTo['body'],
    passes: yours.length === 0,
    yours,
  };
}

/** Stores a ladder with its rungs and its event, or gives the one that says exactly the same. */
async function publish(
  tx: Transaction,
  body: LadderBody,
  address: string,
  fail: Fail<'submission_rejected'>,
): Promise<WriteOutcome<LadderDetail>> {
  const content = {
    objectiveId: body.objectiveId ?? null,
    questionId: body.questionId ?? null,
    title: body.title,
    rationale: body.rationale,
    agentName: body.agentName,
    rungs: body.rungs,
  };
  const content_hash = contentHash('ladder', content);
  const same = await tx.byContent('ladders', content_hash);
  if (same) {
    const rungs = await rungsOf(tx, same.id);
    return { created: false, data: { ...ladders.present(same), rungs: rungs.map(rungOf) } };
  }
  refuseIssues(await workIssues(tx, body), fail);
  const ts = tx.nextTime();
  const ladder: LadderRow = {
    ...tx.newRow('lad', ts, address),
    objective_id: content.objectiveId,
    question_id: content.questionId,
    title: content.title,
    rationale: content.rationale,
    agent_name: content.agentName,
    state: 'open',
    rungs_total: content.rungs.length,
    rungs_satisfied: 0,
    content_hash,
    completed_at: null,
  };
  const rungs = content.rungs.map((rung, place) => rungRow(tx, ladder.id, rung, place + 1));
  await insertLadder(tx, ladder, rungs);
  await ladders.addEvent(tx, ts, ladder, 'published', ladder.agent_name, {
    objectiveId: ladder.objective_id,
    questionId: ladder.question_id,
    rungs: rungs.length,
  });
  return { created: true, data: { ...ladders.present(ladder), rungs: rungs.map(rungOf) } };
}

function rungRow(tx: Transaction, ladderId: string, rung: LadderBody['rungs'][number], place: number): RungRow {
  const seq = tx.nextTime();
  return {
    id: tx.newId('rng', seq),
    seq,
    ladder_id: ladderId,
    place,
    title: rung.title,
    input: rung.input,
    output: rung.output,
    rules: JSON.stringify(rung.rules),
    effort: rung.effort,
    state: 'open',
    satisfied_at: null,
    satisfied_by: null,
    finding_id: null,
  };
}
