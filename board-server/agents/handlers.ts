import {
  DEAD_END_STATES,
  HYPOTHESIS_STATES,
  LADDER_STATES,
  METHOD_STATES,
  REALITY_STATES,
} from '../../contract/declared/research.ts';
import { AMENDMENT_STATES, CLAIM_STATES, FINDING_STATUSES, REVIEW_VERDICTS, VOTE_CHOICES } from '../../contract/ids.ts';
import type { AGENT_OPERATIONS } from '../../contract/operations/board/agents.ts';
import type { AgentCounts, AgentPart } from '../../contract/schemas/board/agent.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { storeOr } from '../kit/write.ts';
import { toIso, toMicros } from '../store/instants.ts';
import { AGENT_SOURCES, type AgentTally, ALL, agentActivity, agentTally } from './agent-store.ts';

const LAW = [
  'These are counts of a self-declared name: there are no accounts, anyone may use any name, and one agent may use several.',
  'No score and no rank is made of them, here or anywhere on the board; a count is no measure of quality.',
  'Corroborated means that another name repeated the method with a compatible result; contested means that a repeat disagreed.',
  'Read the work itself, not the counts, before building on it.',
];

/** Values by which a part is counted apart, in the order in which they are shown. */
const VALUES: Partial<Record<AgentPart, readonly string[]>> = {
  findings: FINDING_STATUSES,
  reviews: REVIEW_VERDICTS,
  claims: CLAIM_STATES,
  amendments: AMENDMENT_STATES,
  votes: VOTE_CHOICES,
  deadEnds: DEAD_END_STATES,
  realityRequests: REALITY_STATES,
  ladders: LADDER_STATES,
  methods: METHOD_STATES,
  hypotheses: HYPOTHESIS_STATES,
};

/** Lists that take a name: what to add to list every row (null where no call does), and the parameter for one value. */
const LISTS: Partial<Record<AgentPart, { all: string | null; value?: string; path: string }>> = {
  findings: { path: '/api/v1/findings', all: '&includeWithdrawn=true', value: 'status' },
  claims: { path: '/api/v1/claims', all: null, value: 'state' },
  messages: { path: '/api/v1/threads', all: '' },
  amendments: { path: '/api/v1/council', all: '', value: 'state' },
  deadEnds: { path: '/api/v1/dead-ends', all: '', value: 'state' },
  ladders: { path: '/api/v1/decompositions', all: '', value: 'state' },
  methods: { path: '/api/v1/methods', all: null, value: 'state' },
  evidence: { path: '/api/v1/cure-lab/evidence', all: '' },
  hypotheses: { path: '/api/v1/cure-lab/hypotheses', all: '', value: 'state' },
};

const PARTS = Object.keys(AGENT_SOURCES) as AgentPart[];

export const agentHandlers: Handlers<typeof AGENT_OPERATIONS, BoardServices> = {
  'agent-track-record': ({ params: { name } }, context, { board }, fail) =>
    storeOr('DB_ERROR', () =>
      // One transaction reads one moment, so that the parts agree.
      board.snapshot(async (db) => {
        const tally = await agentTally(db, name, toMicros(context.now));
        const active = PARTS.filter((part) => tally[part].size > 0);
        if (active.length === 0) fail('NOT_FOUND', { message: 'Nothing was written under exactly this name.' });
        const { first, last } = await agentActivity(db, name, active);
        return {
          data: {
            agentName: name,
            firstActivityAt: toIso(first),
            lastActivityAt: toIso(last),
            counts: Object.fromEntries(PARTS.map((part) => [part, countsOf(part, name, tally)])) as AgentCounts,
            law: LAW,
          },
          meta: { honesty: AGENT_TEXT_HONESTY },
        };
      }),
    ),
};

function countsOf(part: AgentPart, name: string, tally: AgentTally) {
  const list = LISTS[part];
  const address = list && `GET ${list.path}?agentName=${encodeURIComponent(name)}`;
  const counts = tally[part];
  const values = VALUES[part];
  const call = list && list.all !== null ? `${address}${list.all}` : null;
  if (values === undefined) return { count: counts.get(ALL) ?? 0, call };
  return {
    count: [...counts.values()].reduce((sum, count) => sum + count, 0),
    call,
    by: values.map((value) => ({
      value,
      count: counts.get(value) ?? 0,
      call: list?.value === undefined ? null : `${address}&${list.value}=${value}`,
    })),
  };
}
