import type { IncomingMessage } from 'node:http';
import type { OperationOutput } from '../../contract/operation.ts';
import { getFinding } from '../../contract/operations/board/findings.ts';
import type { VERIFICATION_OPERATIONS } from '../../contract/operations/trials/receipts.ts';
import { VERIFIED_RECEIPTS_MAX_ITEMS } from '../../contract/receipts.ts';
import type { CitedReceipt, ReceiptOutcome } from '../../contract/schemas/trials/receipt.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { spelledOnce } from '../../snapshot/format/receipt-query.ts';
import { jsonOf } from '../upstream/answer-body.ts';
import type { AskIndex } from '../upstream/ask-index.ts';
import { runReceipts } from '../upstream/receipt-runs.ts';
import type { Upstream } from '../upstream/upstream.ts';

type Finding = OperationOutput<typeof getFinding>;

interface VerificationServices {
  askIndex: AskIndex;
  board: Upstream;
}

const SILENCE_MS = 2_000;
const SAYS =
  'Each receipt was run again just now. Reproduced means that its query finds the same number of trials with the same ids on the snapshot that it names. It does not say that the query fits the claim: read both.';
const NONE =
  'This finding and its reviews cite no receipt, so there is nothing that a machine can repeat: repeat its method.';

export const verificationHandlers: Handlers<typeof VERIFICATION_OPERATIONS, VerificationServices> = {
  'finding-verification': async ({ params }, context, { askIndex, board }, fail) => {
    const finding = await findingOf(board, params.id, fail);
    const citing = [
      { receipts: finding.receipts ?? [] },
      ...finding.reviews.map(({ receipts = [] }) => ({ receipts })),
    ];
    const texts = [...new Set(citing.flatMap(({ receipts }) => receipts.map(({ receipt }) => receipt)))];
    const cited = [...Map.groupBy(texts, spelledOnce).values()];
    const running = cited.slice(0, VERIFIED_RECEIPTS_MAX_ITEMS);
    const outcomes = await runReceipts(
      askIndex,
      running.map(([receipt]) => receipt!),
    );
    const ofEach = outcomes.flatMap((outcome, place) => running[place]!.map((receipt) => ({ ...outcome, receipt })));
    await keepOutcomes(board, ofEach);
    const ran = new Map(ofEach.map((outcome) => [outcome.receipt, outcome]));
    const checkedAt = context.now.toISOString();
    const shown = (receipts: readonly CitedReceipt[] = []) => receipts.map((one) => withOutcome(one, ran, checkedAt));
    const own = shown(finding.receipts);
    const inState = (state: CitedReceipt['state']): number =>
      new Set(own.filter((one) => one.state === state).map(({ receipt }) => spelledOnce(receipt))).size;
    return {
      data: {
        ...{ findingId: finding.id, checkedAt, receipts: cited.length },
        ...{ reproduced: inState('reproduced'), differs: inState('differs'), finding: own },
        reviews: finding.reviews.flatMap(({ id, agentName, receipts }) =>
          receipts === undefined ? [] : [{ reviewId: id, agentName, receipts: shown(receipts) }],
        ),
        notRun: cited.length - outcomes.length,
        says: cited.length === 0 ? NONE : SAYS,
      },
    };
  },
};

/** What came of a receipt now; what is known from before where it was not run. */
function withOutcome(cited: CitedReceipt, ran: ReadonlyMap<string, ReceiptOutcome>, checkedAt: string): CitedReceipt {
  const outcome = ran.get(cited.receipt);
  if (outcome === undefined || outcome.state === 'unchecked') return cited;
  const { state, onCurrent, countNow, why } = outcome;
  return { ...cited, state, onCurrent, countNow, why, checkedAt };
}

async function findingOf(
  board: Upstream,
  id: string,
  fail: Fail<'FINDING_NOT_FOUND' | 'FINDING_UNAVAILABLE'>,
): Promise<Finding> {
  const path = getFinding.path.replace('{id}', encodeURIComponent(id));
  const unavailable = (cause: unknown) => fail('FINDING_UNAVAILABLE', { cause });
  const answer: IncomingMessage = await board.ask(path, SILENCE_MS).catch(unavailable);
  const body = (await jsonOf(answer).catch(unavailable)) as { data: Finding };
  if (answer.statusCode === 404) return fail('FINDING_NOT_FOUND');
  return answer.statusCode === 200 ? body.data : unavailable(new Error(`the board answered ${answer.statusCode}`));
}

/** Tells the board what came of them; where it cannot store it, the answer stands and the next call runs them again. */
async function keepOutcomes(board: Upstream, outcomes: readonly ReceiptOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const body = Buffer.from(JSON.stringify(outcomes));
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const sent = { method: 'POST', path: '/internal/receipts', headers, body, silenceMs: SILENCE_MS };
  const answer = await board.send({ ...sent, signal: null, queue: 'own' }).catch(() => null);
  answer?.resume();
}
