import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBoard } from '../support/board/board.ts';
import { literatureSaying, populationOf, type Ties } from '../support/board/results-gap.ts';
import { amountOf } from '../support/runner/amount.ts';

const AGENTS = ['ada', 'bea', 'cyd'] as const;
const TRIALS = ['NCT00000013', 'NCT00000026'] as const;
/** The literature ties the first paper to every trial, and some paper to the second trial. */
const PAPERS = ['41', '52', '53'] as const;

interface Report {
  agentName: (typeof AGENTS)[number];
  nctId: (typeof TRIALS)[number];
  /** Null for a search that found nothing. */
  pmid: (typeof PAPERS)[number] | null;
}

const anyReport: fc.Arbitrary<Report> = fc.record({
  agentName: fc.constantFrom(...AGENTS),
  nctId: fc.constantFrom(...TRIALS),
  pmid: fc.option(fc.constantFrom(...PAPERS)),
});

function said(nctId: string, pmid: string | null): Ties {
  if (pmid === null) return nctId === TRIALS[1] ? 'databank' : 'none';
  return pmid === '41' ? 'abstract' : 'none';
}

/** The rules of confirmation again, in the simplest code. */
function isConfirmed(report: Report, all: readonly Report[]): boolean {
  const sameTrial = all.filter(({ nctId }) => nctId === report.nctId);
  const fits = (one: Report): boolean => one.pmid === report.pmid;
  const agents = new Set(sameTrial.filter(fits).map(({ agentName }) => agentName)).size;
  if (report.pmid !== null) return said(report.nctId, report.pmid) !== 'none' || agents >= 2;
  return agents >= 2 && said(report.nctId, null) === 'none' && !sameTrial.some((one) => isPaperConfirmed(one, all));
}

function isPaperConfirmed(report: Report, all: readonly Report[]): boolean {
  return report.pmid !== null && isConfirmed(report, all);
}

function distinct(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((one) => [JSON.stringify([one.agentName, one.nctId, one.pmid]), one])).values()];
}

function counted(all: readonly Report[]) {
  const trials = TRIALS.map((nctId) => all.filter((one) => one.nctId === nctId));
  const reconnected = trials.filter((reports) => reports.some((one) => isPaperConfirmed(one, all)));
  const open = trials.filter((reports) => !reconnected.includes(reports)).flat();
  return {
    reconnected: reconnected.length,
    confirmedNothingPublished: trials.filter(
      (reports) => !reconnected.includes(reports) && reports.some((one) => isConfirmed(one, all)),
    ).length,
    openLeads: open.filter((one) => !isConfirmed(one, all)).length,
    reports: all.length,
    reportingAgents: new Set(all.map(({ agentName }) => agentName)).size,
  };
}

async function openAsked() {
  const population = await populationOf(TRIALS.map((nctId) => ({ nctId, completed: '2020-01-01' })));
  return openBoard({ population, literature: literatureSaying((nctId, { pmid }) => said(nctId, pmid)) });
}

const bodyOf = ({ agentName, nctId, pmid }: Report) => ({
  agentName,
  nctId,
  searchStrategy: 'PubMed by the id.',
  ...(pmid === null ? { outcome: 'searched_none' } : { outcome: 'publication', pmid }),
});

describe('any agents with any reports', () => {
  it('see their own reports judged by the rules, and leads of nobody', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyReport, { maxLength: 12 }), async (reports) => {
        await using board = await openAsked();
        let stored: Report[] = [];
        for (const report of reports) {
          stored = distinct([...stored, report]);
          const { data } = (await board.send('/api/v1/work/results-gap', bodyOf(report))).body;
          expect(data.state).toBe(isConfirmed(report, stored) ? 'confirmed' : 'lead');
          if (data.state === 'lead') expect(data.support).toBeNull();
        }
        const guide = (await board.get('/api/v1/results-gap')).body.data;
        expect(guide).toMatchObject(counted(stored));
        const shown = guide.recentlyConfirmed.map((one: { nctId: string; pmid: string | null }) => [
          one.nctId,
          one.pmid,
        ]);
        for (const one of stored) {
          const isShown = shown.some(([nctId, pmid]: unknown[]) => nctId === one.nctId && pmid === one.pmid);
          if (isShown) expect(isConfirmed(one, stored)).toBe(true);
        }
        for (const agentName of AGENTS) {
          const next = await board.get(`/api/v1/work/results-gap/next?mode=replicate&agentName=${agentName}`);
          if (next.status === 404) continue;
          const there = stored.filter(({ nctId }) => nctId === next.body.data.trial.nctId);
          expect(there.some((one) => one.agentName === agentName)).toBe(false);
          expect(there.some((one) => !isConfirmed(one, stored))).toBe(true);
        }
      }),
      { numRuns: amountOf({ quick: 12, deep: 40 }), seed: 20_261_121 },
    );
  });

  it('come to the same counts in whatever order they report', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyReport, { maxLength: 8, selector: (one) => JSON.stringify(bodyOf(one)) }),
        fc.infiniteStream(fc.nat()),
        async (reports, keys) => {
          const shuffled = reports
            .map((one) => ({ one, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key);
          const counts = [];
          for (const order of [reports, shuffled.map(({ one }) => one)]) {
            await using board = await openAsked();
            for (const one of order) await board.send('/api/v1/work/results-gap', bodyOf(one));
            const { reconnected, confirmedNothingPublished, openLeads } = (await board.get('/api/v1/results-gap')).body
              .data;
            counts.push({ reconnected, confirmedNothingPublished, openLeads });
          }
          expect(counts[1]).toEqual(counts[0]);
        },
      ),
      { numRuns: amountOf({ quick: 6, deep: 20 }), seed: 20_261_121 },
    );
  });
});
