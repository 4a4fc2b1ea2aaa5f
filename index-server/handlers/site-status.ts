import { named } from '../../contract/fields/value-names.ts';
import type { SiteStatusRecord, SitesThere } from '../../contract/schemas/site-status.ts';
import { RECRUITMENT_STATUSES } from '../../contract/vocabularies.ts';
import type { RequestContext } from '../../server-kit/mount.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import { askedCountry } from '../../snapshot/format/words/countries.ts';
import type { CompiledFilters, Requirement, TrialFilters } from '../search/filters.ts';
import { otherAddress } from '../search/hints/hint.ts';
import { matchingRows, meets, rowsMeeting } from '../search/matching.ts';
import { intersect, type RowSet } from '../search/row-set.ts';
import { placeKey, type SitePlace, sitePlaceOf, standsForSites, statedThere } from '../search/site-status.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** What an answer says of sites where a status and a place are asked for together, or `siteStatus` itself. */

/** Statuses in which a trial goes on: its sites differ from it and from each other. Those of an ended trial have ended too. */
const GOING_ON = [
  'not_yet_recruiting',
  'recruiting',
  'enrolling_by_invitation',
  'active_not_recruiting',
  'suspended',
] as const;
const COARSE: readonly string[] = ['active', 'running'];
/** `running` is every status that goes on but the last. */
const RUNNING = GOING_ON.slice(0, -1);

interface AskedSites {
  place: SitePlace;
  /** As the answer names it. */
  named: SitesThere['place'];
  statuses: SiteStatusRecord['statuses'];
}

/** The sites that a request is about; null where it asks for no status of them. */
export function askedSites(query: TrialFilters): AskedSites | null {
  const place = sitePlaceOf(query);
  const asked = query.siteCountry ?? query.country;
  const there = {
    ...(asked !== undefined && { country: askedCountry(asked) ?? asked }),
    ...(query.sitePlace !== undefined && { city: query.sitePlace }),
  };
  if (query.siteStatus !== undefined) {
    return { place, named: there, statuses: RECRUITMENT_STATUSES.filter((one) => query.siteStatus?.includes(one)) };
  }
  const wide = query.status?.some((status) => COARSE.includes(status)) ?? false;
  const statuses = GOING_ON.filter(
    (status) => query.status?.includes(status) || (wide && (RUNNING as readonly string[]).includes(status)),
  );
  return placeKey(place) === null || statuses.length === 0 ? null : { place, named: there, statuses };
}

/** What each trial of a page says of its sites there; null where the request is not about them. */
export function sitesThereOf(image: SnapshotImage, query: TrialFilters): ((row: number) => SitesThere) | null {
  const asked = askedSites(query);
  if (asked === null) return null;
  const stated = RECRUITMENT_STATUSES.map((status) => ({
    status,
    holds: meets(image, statedThere(asked.place, [status])),
  }));
  return (row) => {
    const statuses = stated.flatMap(({ status, holds }) => (holds(row) ? [status] : []));
    if (statuses.length > 0) return { place: asked.named, statuses, basis: 'site' };
    const own = RECRUITMENT_STATUSES[image.columns.recruitment[row] as number];
    return { place: asked.named, statuses: own === undefined ? [] : [own], basis: 'trial' };
  };
}

/** How many of the trials have a site of the status there, in numbers and as a notice. */
export function siteStatusMeta(
  image: SnapshotImage,
  query: TrialFilters,
  compiled: CompiledFilters,
  context: RequestContext,
): { siteStatus?: SiteStatusRecord; notices?: string[] } {
  const asked = askedSites(query);
  if (asked === null || context.bare) return {};
  const { place, statuses } = asked;
  const rows = matchingRows(image, compiled);
  const among = (requirement: Requirement): number => common(rows, rowsMeeting(image, requirement));
  const counted = {
    place: asked.named,
    statuses,
    trials: rows.count,
    atSite: among(statedThere(place, statuses)),
    byTrial: among(standsForSites(place, statuses)),
  };
  const isAsked = query.siteStatus !== undefined;
  const call = otherAddress(context, { siteStatus: statuses.join(',') });
  const ofOthers = among({ not: { anyOf: statuses.map((status) => POSTING.recruitment + status) } });
  if (counted.trials === 0) return { siteStatus: counted };
  const notices = isAsked ? narrowedNotices(counted, ofOthers, query) : [wideNotice(counted)];
  const isNarrower = !isAsked && counted.atSite + counted.byTrial < counted.trials;
  return { siteStatus: { ...counted, ...(isNarrower && { call }) }, notices };
}

function common(rows: RowSet, others: RowSet): number {
  return rows.count === 0 || others.count === 0 ? 0 : intersect([rows, others]).count;
}

type Counted = Omit<SiteStatusRecord, 'call'>;

function wideNotice(counted: Counted): string {
  const { trials, atSite, byTrial, statuses } = counted;
  const found = atSite + byTrial;
  return [
    `status is that of a whole trial: of ${several(trials)}, ${atSite} ${atSite === 1 ? 'has' : 'have'} a site ${whereOf(counted)} that is itself ${statusWords(statuses)}`,
    ...(byTrial === 0 ? [] : [`; for ${byTrial} no site there states a status, so the trial's own counts`]),
    ...(found === trials
      ? []
      : [`. siteStatus=${statuses.join(',')} asks for ${found === 1 ? 'this one' : `these ${found}`}`]),
    '.',
  ].join('');
}

/** What `siteStatus` found by the status of a trial, and where a site says otherwise than its trial. */
function narrowedNotices(counted: Counted, ofOthers: number, { status, siteStatus = [] }: TrialFilters): string[] {
  const { trials, atSite, byTrial } = counted;
  return [
    ...(byTrial === 0
      ? []
      : [
          `siteStatus=${siteStatus.join(',')}: ${atSite} of ${several(trials)} by the status of a site ${whereOf(counted)}, ${byTrial} by that of the trial, since no site there states one.`,
        ]),
    ...(status !== undefined || ofOthers === 0
      ? []
      : [
          `siteStatus asks for sites alone: ${ofOthers} of ${several(trials)} ${ofOthers === 1 ? 'has' : 'have'} another status as a whole, as where nobody has verified the record for years. status=${siteStatus.join(',')} leaves ${ofOthers === 1 ? 'it' : 'them'} out.`,
        ]),
  ];
}

function several(trials: number): string {
  return trials === 1 ? '1 trial' : `${trials} trials`;
}

function whereOf({ place: { country, city } }: Counted): string {
  const named = [city, country].filter((one) => one !== undefined).join(', ');
  return named === '' ? 'anywhere' : `in ${named}`;
}

function statusWords(statuses: readonly string[]): string {
  return statuses.map((status) => named(status).toLowerCase()).join(' or ');
}
