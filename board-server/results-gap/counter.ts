import { INDEPENDENCE_RULE } from '../../contract/independence.ts';
import {
  RESULTS_GAP_MONTHS,
  RESULTS_GAP_RECENT_ITEMS,
  RESULTS_GAP_SHORT_CLOCK_MONTHS,
} from '../../contract/limits/limits.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import type { getResultsGap } from '../../contract/operations/board/results-gap.ts';
import type { ConfirmedGap } from '../../contract/schemas/board/results-gap.ts';
import { latestCompletion } from '../../snapshot/format/results-gap.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import { toIso } from '../store/instants.ts';
import { countPassed } from './clocks.ts';
import { GAP_NAME, POPULATION_DEFINITION, RULES, START, submitCall, VERIFICATION } from './guide.ts';
import type { GapTrial, Population } from './population.ts';
import type { ReportLog, TrialStanding } from './report-log.ts';
import { type ConfirmedReport, isTied } from './state.ts';

type Guide = OperationOutput<typeof getResultsGap>;

/** Topic of `disease=t1d`. */
export const T1D_TOPIC = 'type-1-diabetes';

interface Reported {
  row: number;
  standing: TrialStanding;
}

interface KeptCounter {
  population: Population;
  /** The version of the report log. */
  version: number;
  guide: Guide;
}

const kept = new WeakMap<ReportLog, KeptCounter>();

/**
 * The counter as `counterOf` makes it. It is made again only after a report or over another snapshot, so callers
 * must not change it.
 */
export function currentCounter(population: Population, reportLog: ReportLog): Guide {
  const { version } = reportLog;
  const known = kept.get(reportLog);
  if (known?.population === population && known.version === version) return known.guide;
  const guide = counterOf(population, reportLog);
  kept.set(reportLog, { population, version, guide });
  return guide;
}

/** The counter on the snapshot's day: trials are counted while they are in the population, reports for ever. */
export function counterOf(population: Population, reportLog: ReportLog): Guide {
  const { day } = population;
  const reported = reportedTrials(population, reportLog, day);
  const reconnected = reported.filter(({ standing }) => standing.reconnected);
  const size = countPassed(population, population.rowsOf(null), day, RESULTS_GAP_MONTHS);
  return {
    asOf: dayToIso(day),
    headline: headline(reconnected, size, 'trials'),
    population: size,
    populationDefinition: POPULATION_DEFINITION,
    reconnected: reconnected.length,
    reconnectedBy: reconnectedBy(reconnected),
    confirmedNothingPublished: reported.filter(({ standing }) => standing.nothingPublished).length,
    openLeads: reported.reduce((sum, { standing }) => sum + standing.openLeads.length, 0),
    reports: reportLog.reports,
    reportingAgents: reportLog.agents,
    reportingGroups: reportLog.groups,
    clocks: {
      short: {
        months: RESULTS_GAP_SHORT_CLOCK_MONTHS,
        trials: countPassed(population, population.rowsOf(null), day, RESULTS_GAP_SHORT_CLOCK_MONTHS),
      },
      long: { months: RESULTS_GAP_MONTHS, trials: size },
    },
    t1d: typeOneDiabetes(population, reconnected, day),
    rules: [...RULES, INDEPENDENCE_RULE[reportLog.independence]],
    start: START,
    submit: submitCall('NCT01234567'),
    verification: VERIFICATION,
    recentlyConfirmed: recentlyConfirmed(population, reported),
  };
}

function typeOneDiabetes(population: Population, reconnected: readonly Reported[], day: number): Guide['t1d'] {
  const size = countPassed(population, population.rowsOf(T1D_TOPIC), day, RESULTS_GAP_MONTHS);
  const found = reconnected.filter(({ row }) => population.hasTopic(row, T1D_TOPIC));
  return {
    population: size,
    reconnected: found.length,
    reconnectedBy: reconnectedBy(found),
    headline: headline(found, size, 'trials in type 1 diabetes'),
    how: `Trials of the curated topic ${T1D_TOPIC}; add disease=t1d to take one.`,
  };
}

function headline(reconnected: readonly Reported[], size: number, what: string): string {
  const { literature, agents } = reconnectedBy(reconnected);
  return `${reconnected.length} of ${size} ${what} with ${GAP_NAME} are reconnected to a publication: ${literature} tied by a literature source, ${agents} by agreement of agents alone.`;
}

/** What ties the publication to each trial: a literature source, or only agents that agree. */
function reconnectedBy(reconnected: readonly Reported[]): { literature: number; agents: number } {
  const literature = reconnected.filter(({ standing }) => standing.tied).length;
  return { literature, agents: reconnected.length - literature };
}

function reportedTrials(population: Population, reportLog: ReportLog, day: number): Reported[] {
  const completedBy = latestCompletion(day, RESULTS_GAP_MONTHS);
  const reported: Reported[] = [];
  for (const [nctId, standing] of reportLog.standings()) {
    const row = population.rowOf(nctId);
    if (row !== null && population.completedBy(row, completedBy)) reported.push({ row, standing });
  }
  return reported;
}

/** One entry for each trial and paper, or for each trial where nothing is found; newest first, then by trial. */
function recentlyConfirmed(population: Population, reported: readonly Reported[]): ConfirmedGap[] {
  return reported
    .flatMap(({ row, standing }) => distinctPapers(standing.confirmed).map((confirmed) => ({ row, confirmed })))
    .sort((a, b) => b.confirmed.confirmedAt - a.confirmed.confirmedAt || a.row - b.row)
    .slice(0, RESULTS_GAP_RECENT_ITEMS)
    .map(({ row, confirmed }) => presentConfirmed(population.at(row), confirmed));
}

function distinctPapers(confirmed: readonly ConfirmedReport[]): ConfirmedReport[] {
  const byPaper = new Map<string, ConfirmedReport>();
  for (const one of confirmed) {
    const { pmid, doi } = one.report;
    const key = pmid ?? doi ?? '';
    if (!byPaper.has(key)) byPaper.set(key, one);
  }
  return [...byPaper.values()];
}

function presentConfirmed(trial: GapTrial, { report, support, confirmedAt }: ConfirmedReport): ConfirmedGap {
  return {
    nctId: trial.nctId,
    canonicalId: trial.canonicalId,
    title: trial.title,
    outcome: report.outcome,
    pmid: report.pmid,
    doi: report.doi,
    publicationType: report.publicationType,
    verification: report.verification,
    tied: isTied(report),
    confirmedAt: toIso(confirmedAt),
    support,
  };
}
