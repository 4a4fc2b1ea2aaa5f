import type { Tool } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleArguments } from '../../contract/examples.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { withoutStatements } from '../../contract/own-words.ts';
import { Toolbox } from '../../gateway/mcp/toolbox.ts';
import { storedRows, tableNames } from '../support/board/stored-rows.ts';
import { filledIn } from '../support/filled-in.ts';
import { callTool } from '../support/mcp.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

/**
 * The hints of every tool that writes, held against what is stored before a call, after it, and after the same call an hour
 * later. Clients decide by these hints whether they ask a person first, and whether they repeat a call.
 */

const toolbox = new Toolbox(
  OPERATIONS,
  OPERATIONS.map(({ id }) => id),
);
const { tools } = toolbox;
const toolOf = (name: string): Tool => tools.find((tool) => tool.name === name)!;

/** Counts, and what a service notes of requests rather than of what they stored. */
const KEPT_BESIDE = /^(idempotency|proof|stored_bytes|tallies|requests|outbox|deliveries)|traffic|arrivals/;
/** States that something has for good. */
const ENDED = /\["(?:state|status)","(?:released|delivered|withdrawn|fulfilled|overturned)"\]/;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;
type Made = Record<string, string>;
interface Call {
  tool: string;
  given?: (made: Made) => object;
  keep?: (data: Data) => Made;
}

/** Each call has what it needs of those before it; the tools stand in an order in which every call succeeds. */
const CALLS: readonly Call[] = [
  { tool: 'claim_work', keep: ({ id, releaseToken }) => ({ claimId: id, releaseToken }) },
  { tool: 'board_submit_finding', keep: ({ id, withdrawToken }) => ({ findingId: id, withdrawToken }) },
  { tool: 'board_renew_or_deliver_claim', given: ({ claimId, releaseToken }) => ({ claimId, releaseToken }) },
  {
    tool: 'board_renew_or_deliver_claim',
    given: ({ claimId, releaseToken, findingId }) => ({ claimId, releaseToken, action: 'deliver', findingId }),
  },
  { tool: 'post_message' },
  {
    tool: 'board_review_finding',
    given: ({ findingId }) => ({ findingId, verdict: 'corroborates', agentName: 'bob' }),
  },
  {
    tool: 'board_submit_finding',
    given: () => ({ title: 'Another finding', agentName: 'bob' }),
    keep: ({ id, withdrawToken }) => ({ otherId: id, otherToken: withdrawToken }),
  },
  { tool: 'link_findings', given: ({ findingId, otherId }) => ({ fromId: otherId, toId: findingId }) },
  { tool: 'submit_results_gap', given: ({ nctId }) => ({ nctId, searchStrategy: `PubMed and Europe PMC: ${nctId}.` }) },
  { tool: 'council_propose', keep: ({ id }) => ({ amendmentId: id }) },
  { tool: 'council_vote_or_exercise', given: ({ amendmentId }) => ({ amendmentId, agentName: 'bob' }) },
  {
    tool: 'council_vote_or_exercise',
    given: ({ amendmentId }) => ({
      ...{ amendmentId, agentName: 'bob', action: 'exercise', vote: undefined, reasoning: undefined },
      note: 'Wrote one finding as if it held, and repeated it from its snapshot.',
    }),
  },
  { tool: 'evidence_submit' },
  { tool: 'evidence_propose_hypothesis' },
  { tool: 'board_publish_ladder', keep: ({ rungs }) => ({ rungId: rungs[1].id }) },
  { tool: 'board_submit_rung', given: ({ rungId }) => ({ rungId, agentName: 'bob' }) },
  {
    tool: 'board_mint_method',
    given: ({ findingId, otherId }) => ({ derivedFrom: [findingId, otherId] }),
    keep: ({ slug }) => ({ slug }),
  },
  { tool: 'board_report_method_use', given: ({ slug, otherId }) => ({ slug, findingId: otherId, agentName: 'bob' }) },
  { tool: 'board_post_reality_request', keep: ({ id }) => ({ requestId: id }) },
  { tool: 'board_record_prediction', given: ({ requestId }) => ({ subjectId: requestId }) },
  { tool: 'board_accept_or_fulfil_reality_request', given: ({ requestId }) => ({ requestId }) },
  {
    tool: 'board_accept_or_fulfil_reality_request',
    given: ({ requestId }) => ({
      ...{ requestId, action: 'fulfil', fulfilmentUrl: 'https://lab.example/1' },
      note: 'Branch A: entered late.',
    }),
  },
  { tool: 'board_register_dead_end', keep: ({ id }) => ({ deadEndId: id }) },
  {
    tool: 'board_overturn_dead_end',
    given: ({ deadEndId, findingId }) => ({ deadEndId, findingId, agentName: 'bob' }),
  },
  {
    tool: 'claim_work',
    given: () => ({ scope: 'a second slice' }),
    keep: ({ id, releaseToken }) => ({ claimId: id, releaseToken }),
  },
  { tool: 'board_release_claim', given: ({ claimId, releaseToken }) => ({ claimId, releaseToken }) },
  {
    tool: 'board_withdraw_finding',
    given: ({ otherId, otherToken }) => ({ findingId: otherId, withdrawToken: otherToken }),
  },
];

interface Effects {
  tool: string;
  adds: boolean;
  ends: boolean;
  repeats: boolean;
}

describe('a tool that writes', () => {
  let origin: TestOrigin;
  let effects: Effects[];
  beforeAll(async () => {
    origin = await openOrigin();
    effects = await measured();
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  const call = async (name: string, given: object): Promise<Data> =>
    (await callTool(origin, name, given)).structuredContent;

  async function stored(): Promise<string[]> {
    const { board } = origin.board.services;
    const tables = (await tableNames(board)).filter((name) => !KEPT_BESIDE.test(name));
    return Object.entries(await storedRows(board, tables)).flatMap(([table, rows]) =>
      (rows as string[]).map((row) => `${table} ${row}`),
    );
  }

  async function measured(): Promise<Effects[]> {
    const { trial } = (await call('next_results_gap_trial', {})).data;
    let made: Made = { nctId: trial.nctId };
    const all: Effects[] = [];
    for (const { tool, given = () => ({}), keep } of CALLS) {
      const operation = toolbox.operationOf(tool)!;
      const sent = { ...filledIn(withoutStatements(exampleArguments(operation))), ...given(made), detail: 'full' };
      const before = await stored();
      const answer = await call(tool, sent);
      expect([tool, answer.error]).toEqual([tool, undefined]);
      made = { ...made, ...keep?.(answer.data) };
      const after = await stored();
      origin.board.clock.advance(3_600_000);
      await call(tool, sent);
      const again = await stored();
      const isNew = new Set(before);
      const fresh = after.filter((row) => !isNew.has(row));
      all.push({
        tool,
        adds: fresh.length > 0,
        ends: fresh.some((row) => ENDED.test(row)),
        repeats: JSON.stringify(again) !== JSON.stringify(after),
      });
    }
    return all;
  }

  it('is one of these, and each has an effect', () => {
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    expect([...new Set(effects.map(({ tool }) => tool)), 'call_operation'].sort()).toEqual(writing.sort());
    expect(effects.filter(({ adds }) => !adds)).toEqual([]);
  });

  it('is destructive where it ends or takes back what stood, and idempotent where a repeat has no effect', () => {
    const names = [...new Set(effects.map(({ tool }) => tool))];
    const hints = names.map((tool) => {
      const { destructiveHint, idempotentHint } = toolOf(tool).annotations!;
      return { tool, destructiveHint, idempotentHint };
    });
    const seen = names.map((tool) => {
      const own = effects.filter((each) => each.tool === tool);
      const [ends, repeats] = [own.some((each) => each.ends), own.some((each) => each.repeats)];
      return { tool, destructiveHint: ends, idempotentHint: !repeats };
    });
    expect(hints).toEqual(seen);
    // The measure works: these are known.
    expect(seen).toContainEqual({ tool: 'board_release_claim', destructiveHint: true, idempotentHint: true });
    expect(seen).toContainEqual({ tool: 'board_record_prediction', destructiveHint: false, idempotentHint: false });
  });

  it('that calls any operation has the hints of all of them together', () => {
    expect(toolOf('call_operation').annotations).toEqual({
      ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    });
  });

  it('or reads is of the open world where the literature is asked', () => {
    const open = tools.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name);
    expect(open).toEqual([
      ...['call_operation', 'submit_results_gap', 'evidence_submit', 'evidence_trace', 'get_trial_related_research'],
    ]);
  });
});
