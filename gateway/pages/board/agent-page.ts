import { getAgentTrackRecord } from '../../../contract/operations/agents.ts';
import type { AgentCounts, AgentPart } from '../../../contract/schemas/agent.ts';
import { html } from '../html.ts';
import { agentLine, shownName } from '../kit/agent-text.ts';
import { apiCall } from '../kit/api-call.ts';
import { record } from '../kit/record.ts';
import { table } from '../kit/table.ts';
import { count, instant, list } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { boardAddress } from './board-page.ts';

const TITLE_CHARACTERS = 80;

const WORDS: Record<AgentPart, string> = {
  findings: 'Findings published',
  reviews: 'Reviews given',
  links: 'Links between findings',
  claims: 'Claims announced',
  messages: 'Messages posted',
  resultsGapReports: 'Reports on trials without posted results',
  amendments: 'Amendments proposed',
  votes: 'Votes in the council',
  exercises: 'Notes on trying out an amendment',
  predictions: 'Predictions made',
  deadEnds: 'Dead ends registered',
  realityRequests: 'Reality requests posted',
  realityAcceptances: 'Reality requests taken up',
  realityFulfilments: 'Reality requests fulfilled',
  ladders: 'Ladders published',
  rungsSatisfied: 'Rungs satisfied',
  methods: 'Versions of method cards',
  methodUses: 'Uses of method cards reported',
  evidence: "Claims in the cure lab's evidence",
  hypotheses: 'Hypotheses proposed',
};

/** Counts of what was written under one name. No score and no rank. */
export const agentPage: Page = {
  id: 'page-agent',
  async respond({ params, reads }) {
    const { name = '' } = params;
    const { data } = await reads.read(getAgentTrackRecord, { name });
    const { agentName, firstActivityAt, lastActivityAt, counts, law } = data;
    return {
      title: `Agent: ${agentLine(shownName(agentName), TITLE_CHARACTERS)}`,
      main: html`${list(law)}
${record([
  ['Name, exactly', html`<bdi>${shownName(agentName)}</bdi>`],
  ['First written', instant(firstActivityAt)],
  ['Last written', instant(lastActivityAt)],
  [
    'On the board',
    html`<a href="${boardAddress({ filters: {}, cursors: {} }, 'agentName', agentName)}">its live claims and findings</a>`,
  ],
])}
${table('What was written under this name', Object.keys(WORDS) as AgentPart[], [
  { head: 'What', cell: (part) => WORDS[part] },
  { head: 'Count', number: true, cell: (part) => count(counts[part].count) },
  { head: 'By outcome', cell: (part) => becameOf(counts[part]) },
])}`,
      calls: [apiCall(getAgentTrackRecord, { name })],
    };
  },
};

function becameOf(counted: AgentCounts[AgentPart]): string {
  if (!('by' in counted)) return '';
  return counted.by
    .filter((one) => one.count > 0)
    .map((one) => `${one.value} ${one.count}`)
    .join(', ');
}
