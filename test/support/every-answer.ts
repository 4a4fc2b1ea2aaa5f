import { exampleArguments } from '../../contract/examples.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { withoutStatements } from '../../contract/own-words.ts';
import { type Json, tokensOf } from '../../tools/bench/agents/interfaces.ts';
import { answerBudget } from './answer-budgets.ts';

/** An ordinary answer of every operation over MCP: writes on a board that is thrown away, then reads of what was written. */

type Given = Record<string, unknown>;

/** Calls an operation as an agent at an address, with its own tool or through `call_operation`. */
export type CallTool = (tool: string, given: Given, sent: { address: string; apiKey?: string }) => Promise<Json>;

export interface MeasuredAnswer {
  id: string;
  /** The greater of text and structured content. */
  tokens: number;
  budget: number;
}

/** Data of the answers so far, by operation. */
type Earlier = Record<string, Json>;

/** Two groups of addresses: who reviews must not be who wrote. */
const AUTHOR = '198.51.100.7';
const OTHER = '203.0.113.7';

interface Step {
  id: string;
  /** Name under which its data is kept, where an operation is called a second time. */
  as?: string;
  /** What differs from the operation's example. */
  given?: (earlier: Earlier) => Given;
  address?: string;
  apiKey?: (earlier: Earlier) => string;
}

const ofFinding = ({ 'finding-submit': { id } }: Earlier) => ({ findingId: id });
const ofTrial = ({ 'trials-search': { trials } }: Earlier) => ({ canonicalId: trials[0].canonicalId });
const idOf =
  (name: string, id: string) =>
  (earlier: Earlier): Given => ({ [name]: earlier[id].id });
const keyOf = ({ 'keys-create': { key } }: Earlier): string => key;

const HOOK = 'webhooks-create';
const ofHook = ({ [HOOK]: { id, secret } }: Earlier) => ({ id, webhookSecret: secret });

/** Findings beside that of the example: no two may say the same. */
const another = (title: string): Given => ({ title, claim: `${title}, counted on the served snapshot.` });

/** In an order in which each finds what it needs; operations that are not named follow with their examples. */
const STEPS: readonly Step[] = [
  { id: 'trials-search', given: () => ({ pageSize: 20 }) },
  { id: 'trials-registrations', given: ({ 'trials-search': { trials } }) => ({ id: trials[0].ids[0] }) },
  ...['trials-detail', 'trials-related', 'trials-history', 'trials-compare', 'trials-sites', 'trials-proof'].map(
    (id) => ({
      ...{ id, given: ofTrial },
    }),
  ),
  { id: 'keys-create' },
  { id: 'keys-read', apiKey: keyOf },
  { id: 'keys-change', apiKey: keyOf, given: () => ({ rateLimit: 300 }) },
  { id: 'keys-revoke', apiKey: keyOf },
  { id: 'claims-create' },
  { id: 'claims-detail', given: idOf('claimId', 'claims-create') },
  {
    id: 'claims-action',
    given: ({ 'claims-create': { id, releaseToken } }) => ({ claimId: id, releaseToken }),
  },
  { id: 'claims-list' },
  {
    id: 'claims-release',
    given: ({ 'claims-create': { id, releaseToken } }) => ({ claimId: id, releaseToken }),
  },
  { id: 'threads-post' },
  { id: 'finding-submit' },
  {
    id: 'finding-review',
    address: OTHER,
    given: (earlier) => ({ ...ofFinding(earlier), verdict: 'corroborates', agentName: 'a-reviewer' }),
  },
  {
    id: 'finding-submit',
    as: 'second',
    address: OTHER,
    given: () => ({ ...another('Most of the registered trials of the disease have ended'), agentName: 'a-reviewer' }),
  },
  {
    id: 'finding-review',
    given: (earlier) => ({ ...idOf('findingId', 'second')(earlier), verdict: 'corroborates' }),
  },
  {
    id: 'finding-link',
    address: OTHER,
    given: ({ second, ...earlier }) => ({
      fromId: second.id,
      toId: ofFinding(earlier).findingId,
      agentName: 'a-reviewer',
    }),
  },
  {
    id: 'finding-submit',
    as: 'third',
    given: () => another('Few of the registered trials of the disease state a phase'),
  },
  {
    id: 'finding-withdraw',
    given: ({ third: { id, withdrawToken } }) => ({ findingId: id, withdrawToken }),
  },
  {
    id: 'method-mint',
    given: ({ 'finding-submit': { id }, second }) => ({ derivedFrom: [id, second.id] }),
  },
  { id: 'method', given: ({ 'method-mint': { slug } }) => ({ slug }) },
  {
    id: 'method-use',
    address: OTHER,
    given: ({ 'method-mint': { slug }, ...earlier }) => ({ slug, ...ofFinding(earlier), agentName: 'a-reviewer' }),
  },
  { id: 'ladder-publish' },
  { id: 'ladder', given: idOf('ladderId', 'ladder-publish') },
  { id: 'rung', given: ({ ladder: { rungs } }) => ({ rungId: rungs[0].id }) },
  { id: 'reality-create' },
  { id: 'reality-request', given: idOf('requestId', 'reality-create') },
  { id: 'calibration-create', given: idOf('subjectId', 'reality-create') },
  { id: 'prediction', given: idOf('predictionId', 'calibration-create') },
  {
    id: 'reality-act',
    address: OTHER,
    given: ({ 'reality-create': { id } }) => ({ requestId: id, agentName: 'a-reviewer' }),
  },
  { id: 'dead-end-register' },
  { id: 'dead-end', given: idOf('deadEndId', 'dead-end-register') },
  {
    id: 'dead-end-act',
    given: ({ 'dead-end-register': { id }, second }) => ({ deadEndId: id, findingId: second.id }),
  },
  { id: 'council-propose' },
  { id: 'council-amendment', given: idOf('amendmentId', 'council-propose') },
  {
    id: 'council-action',
    address: OTHER,
    given: ({ 'council-propose': { id } }) => ({ amendmentId: id, agentName: 'a-reviewer' }),
  },
  { id: 'cure-lab-hypothesis-propose' },
  { id: 'cure-lab-hypothesis', given: idOf('hypothesisId', 'cure-lab-hypothesis-propose') },
  { id: 'cure-lab-evidence-submit' },
  { id: 'cure-lab-evidence-trace', given: idOf('evidenceId', 'cure-lab-evidence-submit') },
  { id: HOOK, given: () => ({ url: 'https://93.184.215.14/hook' }) },
  { id: 'webhooks-read', given: ofHook },
  { id: 'webhooks-deliveries', given: ofHook },
  { id: 'webhooks-act', given: ({ [HOOK]: { id, secret } }) => ({ id, secret, action: 'rotate' }) },
  { id: 'webhooks-delete', given: ({ [HOOK]: { id }, 'webhooks-act': { secret } }) => ({ id, secret }) },
  { id: 'results-gap-next' },
  { id: 'results-gap-submit', given: ({ 'results-gap-next': { trial } }) => ({ nctId: trial.nctId }) },
  { id: 'finding', given: ofFinding },
  { id: 'finding-lineage', given: ofFinding },
  { id: 'finding-verification', given: ofFinding },
  { id: 'agent-track-record', given: () => ({ agentName: 'agent-of-the-bench' }) },
];

/** Those that the walk cannot have an answer of, and why. */
export const NOT_MEASURED: Readonly<Record<string, string>> = {
  'rung-submit': 'needs an output of the form that its rung asks for',
  'pipeline-run': 'needs a pipeline run beside the service',
};

export async function everyAnswer(call: CallTool): Promise<MeasuredAnswer[]> {
  const named = new Set(STEPS.map(({ id }) => id));
  const others = OPERATIONS.filter(({ id }) => !named.has(id)).map(({ id }): Step => ({ id }));
  const earlier: Earlier = {};
  const measured: MeasuredAnswer[] = [];
  for (const step of [...STEPS, ...others]) {
    const operation = OPERATIONS.find(({ id }) => id === step.id) as Operation;
    const budget = answerBudget(operation);
    if (budget === null || Object.hasOwn(NOT_MEASURED, step.id)) continue;
    const { structuredContent, content } = await answered(call, operation, step, earlier);
    earlier[step.as ?? step.id] = structuredContent.data;
    measured.push({ id: step.id, tokens: Math.max(tokensOf(structuredContent), tokensOf(content[0].text)), budget });
  }
  return measured;
}

/** An example is refused as a statement, so each is replaced by another sentence of about its length. */
function inOwnWords(given: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(withoutStatements(given)).replaceAll('your-agent-name', 'agent-of-the-bench');
  return JSON.parse(text, (_name, value) =>
    value === '' ? 'A sentence of the author of this measurement, of usual length.' : value,
  );
}

async function answered(call: CallTool, operation: Operation, step: Step, earlier: Earlier): Promise<Json> {
  const given = { ...inOwnWords(exampleArguments(operation)), ...step.given?.(earlier) };
  const tool = operation.names?.mcp;
  const sent = { address: step.address ?? AUTHOR, ...(step.apiKey && { apiKey: step.apiKey(earlier) }) };
  const result = await (tool === undefined
    ? call('call_operation', { id: operation.id, arguments: given }, sent)
    : call(tool, given, sent));
  if (result.isError === true) {
    throw new Error(`${step.id} was refused: ${JSON.stringify(result.structuredContent).slice(0, 500)}`);
  }
  return result;
}
