import type { ChartName } from '../../contract/interfaces/charts.ts';
import { getLineage } from '../../contract/operations/board/findings.ts';
import { runBetaCell } from '../../contract/operations/research/twin-beta-cell.ts';
import { getPatientModel } from '../../contract/operations/research/twin-patient-model.ts';
import { getMind, getTrends } from '../../contract/operations/trials/signals.ts';
import { getSnapshots } from '../../contract/operations/trials/snapshots.ts';
import { getTrialHistory } from '../../contract/operations/trials/trial-history.ts';
import { getTrialResultsGap } from '../../contract/operations/trials/trial-results-gap.ts';
import { getTrialTrend } from '../../contract/operations/trials/trial-trend.ts';
import {
  getTrial,
  getTrialCoverage,
  getTrialLandscape,
  getTrialRelatedResearch,
} from '../../contract/operations/trials/trials.ts';
import { enteredOf } from '../pages/beta-cell/input-fields.ts';
import { pathWith } from '../pages/kit/address.ts';
import type { DrawnPicture } from '../pages/kit/picture.ts';
import { attentionPicture, capitalsPicture } from '../pages/pictures/attention.ts';
import { type BetaCellPicture, betaCellPicture } from '../pages/pictures/beta-cell.ts';
import { phasesByYearPicture, trendPicture } from '../pages/pictures/by-year.ts';
import { growthPicture, VERSIONS_DRAWN } from '../pages/pictures/growth.ts';
import { lineagePicture } from '../pages/pictures/lineage.ts';
import { coveragePicture, mixPicture } from '../pages/pictures/mixes.ts';
import { patientNeedsPicture } from '../pages/pictures/patient-model.ts';
import { gapPicture } from '../pages/pictures/results-gap.ts';
import { sitesPicture } from '../pages/pictures/sites.ts';
import { timelinePicture, VERSIONS_TOLD } from '../pages/pictures/timeline.ts';
import type { Reads } from '../pages/reads.ts';
import { resultsStateOf } from '../pages/words/results-state.ts';
import { dataDayOf } from '../pages/words/trials.ts';

/** Every picture that a page draws, by the name of its addresses: what it reads, and how it is made of that. */

export interface PictureReads {
  /** Of the asked version. */
  reads: Reads;
  /** Of the served version, for what spans versions. */
  served: Reads;
  /** The asked version; undefined for the served one. */
  snapshot: string | undefined;
}

type Own = Record<string, string>;

/** Groups of the results gap in a file that does not say how many. */
const GROUPS = '12';
const HISTORY_READ = 100;

export const PICTURES: Readonly<Record<ChartName, (from: PictureReads, own: Own) => Promise<DrawnPicture>>> = {
  coverage: async ({ reads }, own) => coveragePicture((await reads.read(getTrialCoverage, own)).data, own),
  phases: mix('phases'),
  statuses: mix('statuses'),
  'sponsor-classes': mix('sponsor-classes'),
  trend: async ({ reads }, own) => trendPicture((await reads.read(getTrialTrend, own)).data, own),
  'phases-by-year': async ({ reads }, own) => {
    const { data } = await reads.read(getTrialTrend, { ...own, split: 'phase' });
    return phasesByYearPicture(data, own, { page: pathWith('/trials', own), of: 'this query' });
  },
  'results-gap': async ({ reads }, own) => {
    const { data } = await reads.read(getTrialResultsGap, { by: 'phase', pageSize: GROUPS, ...own });
    return gapPicture(data, own);
  },
  timeline: timelineOf,
  sites: async ({ reads }, own) => sitesPicture((await reads.read(getTrial, { canonicalId: own.trial })).data),
  'versions-trials': growth('versions-trials'),
  'versions-bytes': growth('versions-bytes'),
  'attention-kinds': async ({ reads }, own) => capitalsPicture((await reads.read(getMind, own)).data, own),
  'attention-items': async ({ reads }, own) => attentionPicture((await reads.read(getTrends, own)).data, own),
  'beta-cell-fit': betaCell('beta-cell-fit'),
  'beta-cell-plan': betaCell('beta-cell-plan'),
  'beta-cell-combinations': betaCell('beta-cell-combinations'),
  'patient-model-needs': async ({ reads }) => patientNeedsPicture((await reads.read(getPatientModel)).data),
  lineage: async ({ served }, own) => lineagePicture((await served.read(getLineage, { id: own.finding })).data),
};

function mix(name: 'phases' | 'statuses' | 'sponsor-classes') {
  return async ({ reads }: PictureReads, own: Own) =>
    mixPicture(name, (await reads.read(getTrialLandscape, own)).data, own);
}

/** The versions up to the asked one, as far as they are held. */
function growth(name: 'versions-trials' | 'versions-bytes') {
  return async ({ served, snapshot }: PictureReads) => {
    const { data } = await served.read(getSnapshots, {
      pageSize: snapshot === undefined ? VERSIONS_DRAWN : HISTORY_READ,
    });
    const until = data.snapshots.filter(({ version }) => snapshot === undefined || version <= snapshot);
    return growthPicture(name, until.slice(0, VERSIONS_DRAWN));
  };
}

function betaCell(name: BetaCellPicture) {
  return async ({ reads }: PictureReads, own: Own) => {
    const { body } = enteredOf(new URLSearchParams(own));
    return betaCellPicture(name, (await reads.read(runBetaCell, body)).data, own);
  };
}

async function timelineOf({ reads, served, snapshot }: PictureReads, { trial: id }: Own): Promise<DrawnPicture> {
  const [{ data: trial, meta }, related, history] = await Promise.all([
    reads.read(getTrial, { canonicalId: id }),
    reads.read(getTrialRelatedResearch, { id, include: 'declared' }),
    served.read(getTrialHistory, {
      id,
      order: 'newest',
      pageSize: snapshot === undefined ? VERSIONS_TOLD : HISTORY_READ,
    }),
  ]);
  const asOf = String(meta.provenance?.asOf ?? '');
  const entries = history.data.entries.filter(({ version }) => snapshot === undefined || version <= snapshot);
  return timelinePicture({
    ...{ trial, asOf, results: resultsStateOf(trial, asOf), dataDay: dataDayOf(trial, meta.provenance) },
    history: { ...history.data, entries: entries.slice(0, VERSIONS_TOLD) },
    publications: related.data.registryDeclared.publications,
  });
}
