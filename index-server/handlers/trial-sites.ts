import { nearestNames } from '../../contract/nearest-names.ts';
import type { SITE_OPERATIONS } from '../../contract/operations/trials/trial-sites.ts';
import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { foldPlace } from '../../snapshot/format/serving-columns.ts';
import { indexKeys } from '../../snapshot/format/words/tokens.ts';
import { pageLinks, snapshotValidator, trialMeta } from '../meta.ts';
import { WORDS } from '../search/filters.ts';
import { heldRow, readTrial } from '../search/hints/held-trial.ts';
import { unknownName } from '../search/hints/known-names.ts';
import { countedBy, type ListedSite, matchingSites, type SiteFilters, sitesOfTrial } from '../search/trial-sites.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { notHeld } from './not-held.ts';
import { CONTACTS_LEFT_OUT } from './notices.ts';
import { survivorNotices } from './superseded.ts';

export const siteHandlers: Handlers<typeof SITE_OPERATIONS, IndexServices> = {
  'trials-sites': async ({ params, query }, context, services, fail) => {
    const { holder, sources } = services;
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const row = heldRow(image, params.id) ?? fail('TRIAL_NOT_FOUND', await notHeld(services, lease, params.id));
    refuseWordless(image, query, fail);
    const trial = readTrial(image, row);
    const all = sitesOfTrial(trial);
    const matching = matchingSites(all, query);
    const { page, pageSize } = query;
    const sites = matching.slice((page - 1) * pageSize, page * pageSize);
    const notices = [
      ...survivorNotices(image, row, params.id),
      ...noticesOf(trial, { all, matching }, query),
      `${CONTACTS_LEFT_OUT}: ${trial.citation.verifyAt}`,
    ];
    return {
      data: {
        canonicalId: trial.canonicalId,
        recruitmentStatus: trial.recruitmentStatus,
        total: all.length,
        matching: matching.length,
        byCountry: countedBy(matching, 'country'),
        byStatus: countedBy(matching, 'status'),
        sites,
      },
      meta: {
        ...trialMeta(manifest, sources, context, false),
        notices,
        ...pageLinks(context, { page, pageSize, totalItems: matching.length, returned: sites.length }),
      },
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};

/** A value that no site could have would be answered with a zero that says nothing of the sites. */
function refuseWordless(image: SnapshotImage, { country, place, facility }: SiteFilters, fail: Fail<'INVALID_PARAM'>) {
  const unknown = unknownName(image, { country });
  if (unknown !== null) refuseParameter('country', unknown.expected, fail);
  if (place !== undefined && foldPlace(place) === '') refuseParameter('place', WORDS, fail);
  if (facility !== undefined && indexKeys(facility).length === 0) refuseParameter('facility', WORDS, fail);
}

const NEAR_SHOWN = 3;

/** Why nothing is listed, where nothing is, and what a status cannot find. */
function noticesOf(
  trial: Pick<TrialRecord, 'recruitmentStatus'>,
  { all, matching }: { all: readonly ListedSite[]; matching: readonly ListedSite[] },
  { place, status }: SiteFilters,
): string[] {
  if (all.length === 0)
    return ['The registrations of this trial list no sites: where it takes place is unknown, not nowhere.'];
  const untold =
    status === undefined || status.includes('unknown') ? 0 : all.filter((site) => site.status === null).length;
  const unknown = `${untold} of the ${all.length} sites of this trial state no status of their own, so that status cannot find them; the trial as a whole is ${trial.recruitmentStatus}.`;
  return [...(untold === 0 ? [] : [unknown]), ...(matching.length === 0 ? [noneMatches(all, place)] : [])];
}

function noneMatches(all: readonly ListedSite[], place: string | undefined): string {
  const names = [...new Set(all.flatMap(({ city, state }) => [city, state]).filter((name) => name !== null))];
  const near = place === undefined ? [] : nearestNames(place, names).slice(0, NEAR_SHOWN);
  const spelt = near.length === 0 ? '' : ` Places of this trial that are spelt most like ${place}: ${near.join(', ')}.`;
  return `None of the ${all.length} sites of this trial matches every filter; leave one out.${spelt}`;
}
