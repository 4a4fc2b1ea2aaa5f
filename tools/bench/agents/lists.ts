import { LIST_BUDGETS, META_BUDGET } from './answer-budgets.ts';
import { type Json, rpc, tokensOf } from './doors.ts';
import { everyAnswer } from './every-answer.ts';

/** Tokens of what an agent reads before it asks anything, and of single answers, each beside its budget. */

export interface Budgeted {
  what: string;
  tokens: number;
  /** Null where none is set. */
  budget: number | null;
}

/** The tools of the list by name, and its tokens. */
export async function measureLists(origin: string): Promise<{ listed: Set<string>; lists: Budgeted[] }> {
  const tools: Json[] = (await rpc(`${origin}/api/v1/mcp`, 'tools/list', {}, '10.1.1.1')).tools;
  const lists: Budgeted[] = [
    { what: `tools/list of ${tools.length}`, tokens: tokensOf(tools), budget: LIST_BUDGETS.defaultSet },
  ];
  return { listed: new Set(tools.map(({ name }) => name)), lists };
}

/** An ordinary answer of every operation, and the `_meta` of one. Writes on the board: measure last. */
export async function measureAnswers(origin: string): Promise<Budgeted[]> {
  const path = `${origin}/api/v1/mcp`;
  const answers = await everyAnswer((name, given, { address, apiKey }) =>
    rpc(path, 'tools/call', { name, arguments: given }, address, apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  );
  const measured: Budgeted[] = answers.map(({ id, tokens, budget }) => ({ what: id, tokens, budget }));
  // An ordinary one: with a receipt, and nothing found besides or read otherwise.
  const ofCoverage = { name: 'get_trial_coverage', arguments: { q: 'asthma' } };
  const { structuredContent } = await rpc(path, 'tools/call', ofCoverage, '10.1.1.1');
  measured.push({ what: '_meta of a coverage', tokens: tokensOf(structuredContent._meta), budget: META_BUDGET });
  return measured;
}
