import { EVIDENCE_SOURCES } from '../../contract/declared/research.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import {
  type CURE_LAB_OPERATIONS,
  proposeHypothesis,
  submitEvidence,
} from '../../contract/operations/research/cure-lab.ts';
import type { CreatedEvidence } from '../../contract/schemas/research/cure-lab.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, answeredBefore, readTogether, storeOr, writeOnce } from '../kit/write.ts';
import type { Reader } from '../store/reader.ts';
import { claimCount } from './claim-count.ts';
import { presentContradictions } from './contradictions.ts';
import { contentOf, type EvidenceContent, hashOf, presentEvidence, storeEvidence } from './evidence.ts';
import { standingsOf } from './evidence-check-store.ts';
import { evidencePage } from './evidence-store.ts';
import { contradictionCount, contradictionPage } from './evidence-tally-store.ts';
import { EVIDENCE_HONESTY, GUIDE, HOW_TO_PROPOSE, HOW_TO_SUBMIT, HYPOTHESIS_STATE_MEANING } from './guide.ts';
import { hypothesisDetail, storeHypothesis } from './hypotheses.ts';
import { hypotheses } from './hypothesis-store.ts';
import { foldedCohort } from './scopes.ts';
import type { SourceChecker } from './source-checker.ts';
import { type SourceIndexes, sourceKey } from './sources.ts';
import { traceOf } from './trace.ts';

const honesty = [...AGENT_TEXT_HONESTY, ...EVIDENCE_HONESTY];

export const cureLabHandlers: Handlers<
  typeof CURE_LAB_OPERATIONS,
  BoardServices & SourceIndexes & { sourceChecker: SourceChecker }
> = {
  'cure-lab': () => ({ data: GUIDE }),

  'cure-lab-evidence': ({ query }, context, { board }, fail) => {
    const { limit, offset, cursor, pmid, doi, nctId, cohortKey, ...filter } = query;
    const cohort = cohortKey && foldedCohort(cohortKey);
    const matched = { ...filter, cohort, source: sourceFilter({ pmid, doi, nctId }, fail) };
    const page = pageOf('cure-lab-evidence', matched, { limit, offset, cursor }, fail);
    return readTogether(board, 'DB_ERROR', async (db) => {
      const total = await claimCount(db, matched);
      const { rows, pagination } = shown(page, await evidencePage(db, matched, page.range), total);
      const standings = await standingsOf(
        db,
        rows.map(({ source }) => source),
      );
      return {
        data: { howToSubmit: HOW_TO_SUBMIT, evidence: rows.map((row) => presentEvidence(row, standings)) },
        meta: { ...appliedOf(context), pagination, honesty },
      };
    });
  },

  'cure-lab-evidence-submit': async ({ body }, context, services, fail) => {
    const { board, sourceChecker } = services;
    const content = contentOf(body);
    const terms = { unavailable: 'SUBMISSION_FAILED', honesty } as const;
    const before = await answeredBefore<CreatedEvidence>(services, submitEvidence, context, fail, terms);
    if (before) return before;
    await storeOr('SUBMISSION_FAILED', () => refuseUnknownHypothesis(board.read, content, fail));
    await storeOr('SUBMISSION_FAILED', () => sourceChecker.refresh(board, content.source, services));
    return writeOnce(services, submitEvidence, context, fail, terms, (tx) =>
      storeEvidence(tx, content, addressHash(services, context)),
    );
  },

  'cure-lab-evidence-trace': async ({ params }, context, services, fail) => {
    const { board, sourceChecker } = services;
    const row = (await storeOr('DB_ERROR', () => board.read.byId('evidence', params.id))) ?? fail('NOT_FOUND');
    await sourceChecker.refreshForRead(board, row.source, services);
    return readTogether(board, 'DB_ERROR', async (db) => ({
      data: await traceOf(db, row),
      meta: { filters: context.applied, honesty },
    }));
  },

  'cure-lab-contradictions': ({ query }, context, { board }, fail) => {
    const { limit, offset, cursor, kind } = query;
    const page = pageOf('cure-lab-contradictions', { kind }, { limit, offset, cursor }, fail);
    return readTogether(board, 'DB_ERROR', async (db) => {
      const total = await contradictionCount(db, kind);
      const { rows, pagination } = shown(page, await contradictionPage(db, kind, page.range), total);
      return {
        data: { contradictions: await presentContradictions(db, rows) },
        meta: { ...appliedOf(context), pagination, honesty },
      };
    });
  },

  'cure-lab-hypotheses': ({ query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const { rows, meta } = await hypotheses.list(db, 'cure-lab-hypotheses', query, context, fail);
      return {
        data: {
          howToPropose: HOW_TO_PROPOSE,
          stateMeaning: HYPOTHESIS_STATE_MEANING,
          hypotheses: rows.map(hypotheses.present),
        },
        meta: { ...meta, honesty },
      };
    }),

  'cure-lab-hypothesis-propose': async ({ body }, context, services, fail) => {
    const terms = { unavailable: 'SUBMISSION_FAILED', honesty: AGENT_TEXT_HONESTY } as const;
    return writeOnce(services, proposeHypothesis, context, fail, terms, (tx) =>
      storeHypothesis(tx, body, addressHash(services, context)),
    );
  },

  'cure-lab-hypothesis': ({ params }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const row = (await db.byId('hypotheses', params.id)) ?? fail('NOT_FOUND');
      return {
        data: await hypothesisDetail(db, row),
        meta: { filters: context.applied, honesty },
      };
    }),
};

/** The source by which a list is filtered. A claim has one source, so two at once are refused. */
function sourceFilter(
  asked: { pmid?: string | undefined; doi?: string | undefined; nctId?: string | undefined },
  fail: Fail<'INVALID_PARAM'>,
): string | undefined {
  const given = EVIDENCE_SOURCES.flatMap((kind) => (asked[kind] === undefined ? [] : [{ kind, id: asked[kind] }]));
  const [first, second] = given;
  if (second !== undefined) {
    const expected = 'one of pmid, doi and nctId, since a claim has one source';
    fail('INVALID_PARAM', {
      message: `The parameter ${second.kind} is not usable: expected ${expected}.`,
      parameter: second.kind,
      expected,
      issues: given.slice(1).map(({ kind }) => ({ path: kind, message: `expected ${expected}` })),
    });
  }
  return first && sourceKey(first.kind, first.id);
}

/** Checked before the write: hypotheses are never deleted, so what was there stays there. */
async function refuseUnknownHypothesis(
  db: Reader,
  content: EvidenceContent,
  fail: Fail<'submission_rejected'>,
): Promise<void> {
  const { hypothesis_id: id } = content;
  // An identical claim was let through once, so its hypothesis is known.
  if (id === null || (await db.byContent('evidence', hashOf(content))) || (await db.byId('hypotheses', id))) return;
  const message = `${excerpt(id, LINE_EXCERPT_MAX_CHARACTERS)} is not a hypothesis that GET /api/v1/cure-lab/hypotheses lists`;
  fail('submission_rejected', { message: `hypothesisId: ${message}`, issues: [{ path: 'hypothesisId', message }] });
}
