import type { Json } from './doors.ts';
import { rpc, tokensOf } from './doors.ts';

/** Tokens of what an agent reads before it asks anything, and of single answers, each beside its budget. */

export interface Budgeted {
  what: string;
  tokens: number;
  /** Null where none is set. */
  budget: number | null;
}

const DEFAULT_SET_TOKENS = 12_000;
const OTHER_SET_TOKENS = 15_000;
const OTHER_SETS = ['trials', 'board', 'results-gap', 'council', 'twin', 'evidence', 'signals', 'snapshots'];

/** The default set's tools by name, and the tokens of every set. */
export async function measureLists(origin: string): Promise<{ listed: Set<string>; lists: Budgeted[] }> {
  const toolsOf = async (path: string): Promise<Json[]> =>
    (await rpc(`${origin}/api/v1/mcp${path}`, 'tools/list', {}, '10.1.1.1')).tools;
  const tools = await toolsOf('');
  const lists: Budgeted[] = [
    { what: `tools/list, default set of ${tools.length}`, tokens: tokensOf(tools), budget: DEFAULT_SET_TOKENS },
  ];
  for (const set of [...OTHER_SETS, 'all']) {
    const other = await toolsOf(`/x/${set}`);
    const budget = set === 'all' ? null : OTHER_SET_TOKENS;
    lists.push({ what: `tools/list, ${set} of ${other.length}`, tokens: tokensOf(other), budget });
  }
  return { listed: new Set(tools.map(({ name }) => name)), lists };
}

const ANSWERS: readonly { what: string; tool: string; given: object; budget: number }[] = [
  { what: 'list_capabilities', tool: 'list_capabilities', given: {}, budget: 4000 },
  { what: 'hello', tool: 'hello', given: {}, budget: 1500 },
  { what: 'find_tools', tool: 'find_tools', given: { query: 'how many trials of a disease' }, budget: 1500 },
  { what: 'a page of 20 trials', tool: 'search_world_trials', given: { q: 'diabetes', pageSize: 20 }, budget: 2500 },
];
const TRIAL_TOKENS = 1200;
const META_TOKENS = 80;

/** Answers over MCP: the greater of text and structured content. */
export async function measureAnswers(origin: string): Promise<Budgeted[]> {
  const ask = async (name: string, given: object): Promise<Json> =>
    rpc(`${origin}/api/v1/mcp`, 'tools/call', { name, arguments: given }, '10.1.1.1');
  const measured: Budgeted[] = [];
  const add = (what: string, { structuredContent, content }: Json, budget: number): void => {
    measured.push({ what, tokens: Math.max(tokensOf(structuredContent), tokensOf(content[0].text)), budget });
  };
  for (const { what, tool, given, budget } of ANSWERS) add(what, await ask(tool, given), budget);
  const page = await ask('search_world_trials', { q: 'diabetes', pageSize: 1 });
  const [{ canonicalId }] = page.structuredContent.data.trials;
  add('one trial', await ask('get_world_trial', { canonicalId }), TRIAL_TOKENS);
  // An ordinary one: with a receipt, and nothing found besides or read otherwise.
  const coverage = await ask('get_trial_coverage', { q: 'asthma' });
  measured.push({
    what: '_meta of a coverage',
    tokens: tokensOf(coverage.structuredContent._meta),
    budget: META_TOKENS,
  });
  return measured;
}
