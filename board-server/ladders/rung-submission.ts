import type { AcceptanceReference } from '../../contract/declared/research.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import type { Verdict } from '../../contract/schemas/board/acceptance.ts';
import type { RungReceipt, RungSubmissionBody } from '../../contract/schemas/board/ladder.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail } from '../../server-kit/mount.ts';
import { refuseIssues } from '../declared-work/checks.ts';
import { standingWork, unknownWork } from '../declared-work/declared-work.ts';
import { liveFindingIds, presentFinding } from '../findings/finding-store.ts';
import { publishFinding } from '../findings/publish-finding.ts';
import { rigorOf } from '../findings/rigor.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { BoardServices } from '../kit/services.ts';
import type { Caller, WriteOutcome } from '../kit/write.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { evaluate, type Resolver, referencesIn } from './acceptance/evaluate.ts';
import { rulesOf, rungOf, satisfyRung, submissionOf } from './ladder-store.ts';
import type { RungRow } from './tables.ts';

/** Submissions of rungs: the output is judged first, and only what passes is written, in one transaction. */

export const RUNG_HONESTY: readonly string[] = [
  'A pass says that the output has the form that the rules ask for. It endorses nothing: the finding is reviewed like any other.',
  ...AGENT_TEXT_HONESTY,
];

/** How an output stood against the rules of a rung at one moment. */
interface Judgement {
  rung: RungRow;
  ladderState: RungReceipt['ladderState'];
  verdicts: Verdict[];
  accepted: boolean;
  contentHash: string;
}

/** Ids of the index; null, or left out, is answered as unknown, never as none. */
export interface RungServices extends BoardServices {
  trialIds?: { readonly current: { has(id: string): boolean } | null };
}

type Refusal = 'NOT_FOUND' | 'NOT_OPEN' | 'FINDING_WITHDRAWN' | 'TRIALS_UNAVAILABLE' | 'submission_rejected';

const TAKEN = 'Another submission satisfied this rung; the finding that it published stands under findingId.';

/** The finding of a submission as a finding of its own. */
function findingOf({ finding, agentName }: RungSubmissionBody) {
  return { ...finding, agentName };
}

/**
 * Holds a submission against the rules of its rung, at `now` in microseconds. Fails where the rung takes no submission,
 * and where only the index can decide it and does not answer.
 */
export async function judged(
  services: RungServices,
  rungId: string,
  body: RungSubmissionBody,
  now: number,
  fail: Fail<Refusal>,
): Promise<Judgement> {
  const db = services.board.read;
  const rung = (await db.byId('rungs', rungId)) ?? fail('NOT_FOUND');
  const hash = contentHash('rung-submission', { rung: rung.id, ...body });
  await refuseTaken(db, rung, hash, fail);
  await refuseUnknownWork(db, now, body, fail);
  const rules = rulesOf(rung);
  const resolver = await resolverOf(services, referencesIn(rules, body.output));
  const { verdicts, accepted } = evaluate(rules, body.output, resolver);
  if (accepted === null) {
    fail('TRIALS_UNAVAILABLE', {
      message: 'Every rule passes but those that ask the index, which cannot be read now.',
    });
  }
  const ladder = await db.byId('ladders', rung.ladder_id);
  return { rung, ladderState: ladder!.state, verdicts, accepted: accepted === true, contentHash: hash };
}

/** The answer to a submission that did not pass. */
export function refusedReceipt({ rung, ladderState, verdicts }: Judgement): RungReceipt {
  const failed = verdicts.filter(({ passed }) => passed !== true).length;
  return {
    accepted: false,
    says: `Not accepted: ${failed} of ${verdicts.length} rules did not pass. Nothing was stored, no finding was published. Change what the verdicts say and submit again.`,
    verdicts,
    rung: rungOf(rung),
    ladderState,
    finding: null,
  };
}

/**
 * Satisfies a rung by a submission that passed. Its finding, their events, the rung and its ladder are stored together
 * or not at all. An identical submission gets the result of the first one, without the token.
 */
export async function satisfy(
  tx: Transaction,
  judgement: Judgement,
  body: RungSubmissionBody,
  caller: Caller,
  fail: Fail<Refusal>,
): Promise<WriteOutcome<RungReceipt>> {
  const rung = (await tx.byId('rungs', judgement.rung.id)) ?? fail('NOT_FOUND');
  await refuseTaken(tx, rung, judgement.contentHash, fail);
  if (rung.state === 'satisfied') return { created: false, data: await standing(tx, judgement, rung) };
  await refuseUnknownWork(tx, tx.now, body, fail);
  const { data: finding } = await publishFinding(tx, findingOf(body), caller);
  if (finding.withdrawn) fail('FINDING_WITHDRAWN');
  const ts = tx.nextTime();
  const submission = {
    ...tx.newRow('rsb', ts, caller.address),
    rung_id: rung.id,
    finding_id: finding.id,
    output: JSON.stringify(body.output),
    agent_name: body.agentName,
    content_hash: judgement.contentHash,
  };
  if (!(await satisfyRung(tx, rung, submission))) fail('NOT_OPEN', { message: TAKEN });
  const ladder = (await tx.byId('ladders', rung.ladder_id))!;
  await tx.appendEvent(
    ts,
    researchEvent('rung', 'satisfied', {
      objectId: rung.id,
      agentName: body.agentName,
      data: {
        title: excerpt(rung.title, LINE_EXCERPT_MAX_CHARACTERS),
        ladderId: ladder.id,
        ladderState: ladder.state,
        findingId: finding.id,
      },
    }),
  );
  const satisfied = (await tx.byId('rungs', rung.id))!;
  return { created: true, data: receipt(judgement, satisfied, ladder.state, finding) };
}

function receipt(
  { verdicts }: Judgement,
  rung: RungRow,
  ladderState: RungReceipt['ladderState'],
  finding: RungReceipt['finding'],
): RungReceipt {
  return {
    accepted: true,
    says: 'Accepted: every rule passed, the rung is satisfied and its finding is published. That is a matter of form; reviews say whether it holds.',
    verdicts,
    rung: rungOf(rung),
    ladderState,
    finding,
  };
}

/** The result of the submission that satisfied a rung. */
async function standing(db: Reader, judgement: Judgement, rung: RungRow): Promise<RungReceipt> {
  const row = (await db.byId('findings', rung.finding_id!))!;
  const ladder = (await db.byId('ladders', rung.ladder_id))!;
  const finding = await presentFinding(db, row);
  return receipt(judgement, rung, ladder.state, { ...finding, withdrawToken: null, rigor: rigorOf(finding) });
}

/** A satisfied rung takes the submission that satisfied it again, for retries, and no other. */
async function refuseTaken(db: Reader, rung: RungRow, hash: string, fail: Fail<'NOT_OPEN'>): Promise<void> {
  if (rung.state === 'open') return;
  const passed = await submissionOf(db, rung.id);
  if (passed?.content_hash !== hash) fail('NOT_OPEN', { message: TAKEN });
}

async function refuseUnknownWork(
  db: Reader,
  now: number,
  { finding }: RungSubmissionBody,
  fail: Fail<'submission_rejected'>,
): Promise<void> {
  const issues = unknownWork(await standingWork(db, now), finding);
  refuseIssues(
    issues.map(({ path, message }) => ({ path: `finding.${path}`, message })),
    fail,
  );
}

/** Answers for the ids that rules ask about, looked up together before the evaluation. */
async function resolverOf(
  { board, trialIds }: RungServices,
  references: readonly { to: AcceptanceReference; id: string }[],
): Promise<Resolver> {
  const findings = references.flatMap(({ to, id }) => (to === 'finding' ? [id] : []));
  const live = await liveFindingIds(board.read, findings);
  const trials = trialIds?.current ?? null;
  return (to, id) => (to === 'finding' ? live.has(id) : trials === null ? null : trials.has(id));
}
