import { describe, expect, it } from 'vitest';
import { CATALOGUE_IDS } from '../../contract/ids.ts';
import { boardForAll } from '../support/board/board.ts';
import { FINDING, publish } from '../support/board/findings.ts';

/** What is particular of the body of a finding; the rules of all bodies are in surfaces.test.ts and test/errors. */

const board = boardForAll();

async function issuesOf(change: Record<string, unknown>) {
  const { status, body } = await board.send('/api/v1/findings', { ...FINDING, ...change });
  expect([status, body.error?.code]).toEqual([422, 'submission_rejected']);
  return body.error.issues as { path: string; message: string }[];
}

/** Addresses that a reader must not be led to, and invalid ones. */
const ADDRESSES = [
  ...['', 'example.org', '/relative', 'ftp://example.org/x', 'javascript:alert(1)', 'data:text/html,x', 'http://'],
  ...['https:///nohost', ' https://example.org', 'https://example.org/\u0000', 'https://example.org/a b'],
  'https://exa\nmple.org',
];

describe('a finding', () => {
  it.each(ADDRESSES)('with the artifactUrl %j is refused by name', async (artifactUrl) => {
    expect((await issuesOf({ artifactUrl })).map(({ path }) => path)).toEqual(['artifactUrl']);
  });

  it('with thousands of faults is refused with the first hundred and their number', async () => {
    const { status, body } = await board.send('/api/v1/findings', { endpointsUsed: Array(4_000).fill(1) });
    expect([status, body.error.issues.length]).toEqual([422, 100]);
    expect(body.error.message).toMatch(/^The body has 40\d\d problem\(s\): /);
  });

  it('that names unknown endpoints is told each of them, cut to 64 characters', async () => {
    const [issue] = await issuesOf({ endpointsUsed: ['sources', 'nope', 'nope', 'x'.repeat(90)] });
    expect(issue!.message).toContain(`unknown: "nope", "${'x'.repeat(64)}"; known: mind, hope`);
  });

  it('that names a tool of no endpoint of the catalogue is told that only ids are taken, and the nearest one', async () => {
    const [far] = await issuesOf({ endpointsUsed: ['trials_compare'] });
    expect(far!.message).toContain('. Only ids of the endpoint catalogue are taken');
    const [near] = await issuesOf({ endpointsUsed: ['get_trial_coverag'] });
    expect(near!.message).toContain('; nearest to what was sent: trials-coverage. Only ids');
  });

  it('may name what it used as its door calls it; the answer says which endpoint that is, and that one is stored', async () => {
    const endpointsUsed = ['get_trial_coverage', 'trials-coverage', 'world_trial_search', 'board_list_findings'];
    const said = { ...FINDING, title: 'By the names of tools', endpointsUsed };
    const { status, body } = await board.send('/api/v1/findings', said);
    expect([status, body.data.endpointsUsed]).toEqual([201, ['trials-coverage', 'trials-search', 'findings']]);
    expect(body.data.endpointsMeant).toEqual({
      get_trial_coverage: 'trials-coverage',
      world_trial_search: 'trials-search',
      board_list_findings: 'findings',
    });
    const plain = { ...said, endpointsUsed: ['trials-coverage', 'trials-search', 'findings'] };
    const same = await board.send('/api/v1/findings', plain);
    expect([same.status, same.body.data.id]).toEqual([200, body.data.id]);
    expect(same.body.data).not.toHaveProperty('endpointsMeant');
  });

  it('may name every endpoint that there is', async () => {
    await publish(board, { endpointsUsed: CATALOGUE_IDS });
  });
});
