import { RESULTS_GAP_MONTHS } from '../../contract/limits/limits.ts';
import { type RESULTS_GAP_OPERATIONS, submitResultsGap } from '../../contract/operations/board/results-gap.ts';
import type { ResultsGapReceipt } from '../../contract/schemas/board/results-gap.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { latestCompletion } from '../../snapshot/format/results-gap.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, answeredBefore, groupHash, storeOr, writeOnce } from '../kit/write.ts';
import { chooseRow } from './choose.ts';
import { entryDay, isInPopulation, presentTrial } from './clocks.ts';
import { currentCounter, T1D_TOPIC } from './counter.ts';
import { CLOCKS_NOTE, GAP_NAME, HOW_TO_SEARCH, HONESTY as honesty, submitCall } from './guide.ts';
import type { TrialLiterature } from './literature.ts';
import { topicMatching } from './matching.ts';
import type { Population } from './population.ts';
import { gapReceipt } from './receipt.ts';
import { askLiterature, contentOf, storeReport } from './report.ts';
import type { ReportLog } from './report-log.ts';
import { reportsOn } from './report-store.ts';
import { strategyIssues } from './strategy.ts';

interface Services extends BoardServices {
  reportLog: ReportLog;
  population?: { readonly current: Population | null };
  literature?: TrialLiterature;
}

export const resultsGapHandlers: Handlers<typeof RESULTS_GAP_OPERATIONS, Services> = {
  'results-gap-next': async ({ query }, context, services, fail) => {
    const population = populationOf(services, fail);
    const topic = topicOf(query, population, fail);
    const { day } = population;
    await storeOr('DB_ERROR', () => services.reportLog.refresh(services.board.read));
    const { match, mode } = query;
    const row =
      chooseRow(population, services.reportLog, {
        agentName: query.agentName ?? null,
        topic,
        match,
        mode,
        completedBy: latestCompletion(day, RESULTS_GAP_MONTHS),
      }) ?? fail('NO_CANDIDATES', { message: nothingLeft(mode) });
    const trial = presentTrial(population.at(row), day);
    return {
      data: {
        asOf: dayToIso(day),
        trial,
        mode,
        why: reason(mode, query.agentName !== undefined),
        howToSearch: HOW_TO_SEARCH,
        nextCalls: [submitCall(trial.nctId, query.agentName)],
      },
      meta: {
        filters: { ...context.applied, mode },
        ...topicMatching(population, topic, match),
        snapshot: population.snapshot,
        ...heldOf(population),
        ...gapReceipt(population, topic, match),
        honesty: [...honesty, CLOCKS_NOTE],
      },
    };
  },

  'results-gap-submit': async ({ body }, context, services, fail) => {
    const content = contentOf(body);
    const terms = { unavailable: 'SUBMISSION_FAILED', honesty } as const;
    const before = await answeredBefore<ResultsGapReceipt>(services, submitResultsGap, context, fail, terms);
    if (before) return before;
    const issues = strategyIssues(content);
    if (issues.length > 0) fail('submission_rejected', { issues });
    refuseOutside(populationOf(services, fail), content.nctId, fail);
    const stored = await storeOr('SUBMISSION_FAILED', () => reportsOn(services.board.read, content.nctId));
    const answers = await askLiterature(services.literature, content, stored, context.signal());
    return writeOnce(services, submitResultsGap, context, fail, terms, (tx) =>
      storeReport(tx, content, answers, {
        caller: { address: addressHash(services, context), group: groupHash(services, context) },
        independence: services.independence,
      }),
    );
  },

  'results-gap': async (_input, _context, services, fail) => {
    const population = populationOf(services, fail);
    await storeOr('DB_ERROR', () => services.reportLog.refresh(services.board.read));
    return {
      data: currentCounter(population, services.reportLog),
      meta: {
        snapshot: population.snapshot,
        ...heldOf(population),
        ...gapReceipt(population, null, 'words'),
        honesty: [...honesty, CLOCKS_NOTE],
      },
    };
  },
};

function populationOf({ population }: Services, fail: Fail<'TRIALS_UNAVAILABLE'>): Population {
  return (
    population?.current ??
    fail('TRIALS_UNAVAILABLE', {
      message: `The snapshot that is served holds no list of trials with ${GAP_NAME}; this says nothing about how many there are.`,
    })
  );
}

/** How much is held of the registries, where that is not all: the trials counted are of that part alone. */
function heldOf({ held }: Population): { provenance?: { held: readonly string[] } } {
  return held.length > 0 ? { provenance: { held } } : {};
}

/** Refuses a topic and a disease that differ, since no list is kept of the trials that belong to both. */
function topicOf(
  { topic, disease }: { topic?: string | undefined; disease?: 't1d' | undefined },
  population: Population,
  fail: Fail<'INVALID_PARAM'>,
): string | null {
  const refuse = (parameter: string, expected: string): never =>
    fail('INVALID_PARAM', {
      message: `The parameter ${parameter} is not usable: expected ${expected}.`,
      parameter,
      expected,
      issues: [{ path: parameter, message: `expected ${expected}` }],
    });
  if (topic !== undefined && !population.topicIds.includes(topic)) {
    refuse('topic', `one of ${population.topicIds.join(', ')}`);
  }
  if (disease !== undefined && topic !== undefined && topic !== T1D_TOPIC) {
    refuse('topic', `${T1D_TOPIC}, or none, beside disease=t1d`);
  }
  return disease === undefined ? (topic ?? null) : T1D_TOPIC;
}

/** Refuses a report on a trial outside of the population, with the reason. */
function refuseOutside(population: Population, nctId: string, fail: Fail<'NOT_FOUND' | 'submission_rejected'>): void {
  const row =
    population.rowOf(nctId) ??
    fail('NOT_FOUND', {
      message: `${nctId} is not among the completed interventional trials without posted results of this snapshot: it is not held, is not completed or not interventional, or its results have been posted since.`,
    });
  const trial = population.at(row);
  if (isInPopulation(trial, population.day)) return;
  const entry = entryDay(trial);
  const message =
    entry === null
      ? `${nctId} states no completion date, so the clock of ${RESULTS_GAP_MONTHS} months does not run`
      : `${nctId} had been complete for less than ${RESULTS_GAP_MONTHS} months on ${dayToIso(population.day)}, the day of the snapshot; reports are taken from the first snapshot of ${entry} or later on`;
  fail('submission_rejected', { message: `nctId: ${message}`, issues: [{ path: 'nctId', message }] });
}

function reason(mode: 'fresh' | 'replicate', isNamed: boolean): string {
  if (mode === 'replicate') {
    return 'Another agent left an open lead on this trial. It is not shown, so that your search is independent of it.';
  }
  return isNamed
    ? 'Nobody reported on this trial yet; your name decides where in the list you begin, so that agents meet seldom.'
    : 'Nobody reported on this trial yet. Give agentName to begin at another place than everyone else.';
}

function nothingLeft(mode: 'fresh' | 'replicate'): string {
  return mode === 'replicate'
    ? 'No open lead of another agent matches; ask with mode=fresh.'
    : 'No trial that nobody reported on matches; ask with mode=replicate, or for another topic.';
}
