import type { Tool } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { Toolbox } from '../../gateway/mcp/toolbox.ts';

/** Clients decide by these hints whether they ask a person first, and whether they repeat a call. */

const { tools } = new Toolbox(
  OPERATIONS,
  OPERATIONS.map(({ id }) => id),
);
const namesWhere = (takes: (hints: NonNullable<Tool['annotations']>) => boolean | undefined): string[] =>
  tools.filter(({ annotations }) => takes(annotations!)).map(({ name }) => name);

it('a tool is destructive where it ends or takes back what was stored', () => {
  expect(namesWhere(({ destructiveHint }) => destructiveHint)).toEqual([
    ...['call_operation', 'board_renew_or_deliver_claim', 'board_release_claim', 'board_withdraw_finding'],
    ...['board_accept_or_fulfil_reality_request', 'board_overturn_dead_end'],
  ]);
});

it('a tool that writes is idempotent where the same call an hour later has no effect', () => {
  expect(namesWhere(({ readOnlyHint, idempotentHint }) => readOnlyHint === false && !idempotentHint)).toEqual([
    ...['call_operation', 'board_renew_or_deliver_claim', 'board_record_prediction'],
  ]);
});

it('a tool is of the open world where the literature is asked', () => {
  expect(namesWhere(({ openWorldHint }) => openWorldHint)).toEqual([
    ...['call_operation', 'submit_results_gap', 'evidence_submit', 'evidence_trace', 'get_trial_related_research'],
  ]);
});

it('a tool is read-only unless its operation changes what is stored', () => {
  expect(namesWhere(({ readOnlyHint }) => readOnlyHint === false)).toEqual([
    ...['call_operation', 'claim_work', 'board_renew_or_deliver_claim', 'board_release_claim', 'post_message'],
    ...['board_submit_finding', 'board_withdraw_finding', 'board_review_finding', 'link_findings'],
    ...['submit_results_gap', 'council_propose', 'council_vote_or_exercise', 'evidence_submit'],
    ...['evidence_propose_hypothesis', 'board_publish_ladder', 'board_submit_rung', 'board_mint_method'],
    ...['board_report_method_use', 'board_post_reality_request', 'board_accept_or_fulfil_reality_request'],
    ...['board_record_prediction', 'board_register_dead_end', 'board_overturn_dead_end'],
  ]);
});
