import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import { CLAIM_OF_EVIDENCE, CONTRADICTIONS, EVIDENCE } from '../../support/board/cure-lab.ts';

interface Claim {
  direction: 'supports' | 'contradicts' | 'neutral';
  evidenceClass: 'E1' | 'E4';
  pmid: string;
  cohortKey: string | null;
  outcomeCategory: 'c-peptide-preserved' | 'insulin-reduced' | 'other' | null;
  diseaseStage: 'new-onset' | 'established';
}

const PLAIN: Claim = {
  direction: 'supports',
  evidenceClass: 'E1',
  pmid: '1',
  cohortKey: null,
  outcomeCategory: 'c-peptide-preserved',
  diseaseStage: 'new-onset',
};
const claim = (more: Partial<Claim>): Claim => ({ ...PLAIN, ...more });
const against = (more: Partial<Claim>): Claim => claim({ direction: 'contradicts', ...more });

/** Stores each claim under a different agent, so that no two are identical. */
async function store(board: TestBoard, claims: readonly Claim[]): Promise<void> {
  for (const [place, one] of claims.entries()) {
    const answer = await board.send(EVIDENCE, { ...CLAIM_OF_EVIDENCE, ...one, agentName: `agent-${place}` });
    expect(answer.status).toBe(201);
  }
}

interface Shown {
  kind: string;
  about: string;
  supports: Counts;
  contradicts: Counts;
}
interface Counts {
  claims: number;
  cohorts: number;
  byClass: Record<string, number>;
  claimIds: string[];
}

async function contradictions(board: TestBoard, query = ''): Promise<Shown[]> {
  return (await board.get(`${CONTRADICTIONS}?limit=100${query}`)).body.data.contradictions;
}

const short = ({ kind, about, supports, contradicts }: Shown): string =>
  `${kind} ${about}: ${supports.claims}/${supports.cohorts} to ${contradicts.claims}/${contradicts.cohorts}`;

const OUTCOME = 'outcome type-1-diabetes/B/c-peptide-preserved/new-onset';

describe('a contradiction', () => {
  it.each<[string, Claim[], string[]]>([
    [
      'counts a cohort once a side, whatever papers report on it',
      [
        claim({ cohortKey: 'ABC Trial' }),
        claim({ cohortKey: ' abc  trial', pmid: '2' }),
        claim({ pmid: '3' }),
        against({ cohortKey: 'ABC trial', pmid: '4' }),
      ],
      [`${OUTCOME}: 3/2 to 1/1`],
    ],
    [
      'does not take a cohort named like a source for that source',
      [claim({}), claim({ pmid: '2', cohortKey: 'pmid:1' }), against({ pmid: '3' })],
      [`${OUTCOME}: 2/2 to 1/1`],
    ],
  ])('%s', async (_title, claims, expected) => {
    await using board = await openBoard();
    await store(board, claims);
    expect((await contradictions(board)).map(short)).toEqual(expected);
  });

  it('is of a trial where the source is a registration, and the kind can be asked for', async () => {
    await using board = await openBoard();
    const trial = { pmid: null, nctId: 'NCT04233034', evidenceClass: 'E5', outcomeCategory: null };
    for (const direction of ['supports', 'contradicts']) {
      await board.send(EVIDENCE, { ...CLAIM_OF_EVIDENCE, ...trial, direction });
    }
    await store(board, [claim({}), against({})]);
    const about = async (query: string): Promise<string[]> => (await contradictions(board, query)).map(short);
    expect(await about('&kind=trial')).toEqual(['trial nctId:NCT04233034: 1/1 to 1/1']);
    expect(await about('&kind=paper')).toEqual(['paper pmid:1: 1/1 to 1/1']);
    expect(await about('')).toHaveLength(3);
  });
});

/** The counts of one side, computed in the simplest way. */
function plainSide(claims: readonly Claim[], direction: string): [claims: number, cohorts: number, e1: number] {
  const own = claims.filter((one) => one.direction === direction);
  const cohorts = new Set(
    own.map(({ cohortKey, pmid }) => (cohortKey === null ? `paper ${pmid}` : `cohort ${cohortKey}`)),
  );
  return [own.length, cohorts.size, own.filter(({ evidenceClass }) => evidenceClass === 'E1').length];
}

function plainContradictions(claims: readonly Claim[]): string[] {
  const groups = new Map<string, Claim[]>();
  const add = (name: string, one: Claim): void => {
    groups.set(name, [...(groups.get(name) ?? []), one]);
  };
  for (const one of claims) {
    add(`paper pmid:${one.pmid}`, one);
    if (one.outcomeCategory !== null && one.outcomeCategory !== 'other') {
      add(`outcome type-1-diabetes/B/${one.outcomeCategory}/${one.diseaseStage}`, one);
    }
  }
  return [...groups].flatMap(([name, own]) => {
    const sides = [plainSide(own, 'supports'), plainSide(own, 'contradicts')];
    return sides.every(([count]) => count > 0) ? [`${name}: ${sides.join(' to ')}`] : [];
  });
}

const anyClaim: fc.Arbitrary<Claim> = fc.record({
  direction: fc.constantFrom('supports', 'contradicts', 'neutral'),
  evidenceClass: fc.constantFrom('E1', 'E4'),
  pmid: fc.constantFrom('1', '2', '3'),
  cohortKey: fc.constantFrom(null, 'a', 'b'),
  outcomeCategory: fc.constantFrom('c-peptide-preserved', 'insulin-reduced', 'other', null),
  diseaseStage: fc.constantFrom('new-onset', 'established'),
});

/**
 * Filters and the claims that each lets through. For all but the last two the board keeps totals; for those it counts
 * the claims.
 */
const TOTALS: readonly [query: string, leaves: (one: Claim) => boolean][] = [
  ['disease=type-1-diabetes', () => true],
  ['disease=obesity', () => false],
  ['disease=type-1-diabetes&direction=supports', (one) => one.direction === 'supports'],
  ['disease=type-1-diabetes&evidenceClass=E1', (one) => one.evidenceClass === 'E1'],
  ['pmid=1', (one) => one.pmid === '1'],
  [
    'pmid=2&direction=neutral&evidenceClass=E4',
    (one) => `${one.pmid} ${one.direction} ${one.evidenceClass}` === '2 neutral E4',
  ],
  ['direction=contradicts', (one) => one.direction === 'contradicts'],
  ['pmid=1&stage=established', (one) => one.pmid === '1' && one.diseaseStage === 'established'],
];

describe('the counts', () => {
  it('are those of a plain reference over any claims in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyClaim, { maxLength: 14 }), async (claims) => {
        await using board = await openBoard();
        await store(board, claims);
        const shown = (await contradictions(board)).map(({ kind, about, supports, contradicts }) => {
          const sides = [supports, contradicts].map((side) => [side.claims, side.cohorts, side.byClass.E1]);
          return `${kind} ${about}: ${sides.join(' to ')}`;
        });
        expect(shown.sort()).toEqual(plainContradictions(claims).sort());
        for (const [query, leaves] of TOTALS) {
          const { total } = (await board.get(`${EVIDENCE}?${query}`)).body._meta.pagination;
          expect([query, total]).toEqual([query, claims.filter(leaves).length]);
        }
      }),
      { numRuns: 25, seed: 20261122 },
    );
  });
});
