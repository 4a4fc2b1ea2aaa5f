import { COMPARED_LIST } from '../../../contract/fields/field-shapes.ts';
import type { RegistryId } from '../../../contract/ids.ts';
import type { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { registryStates } from '../../../snapshot/format/registry-answer.ts';
import type { RegistrySources } from '../../../snapshot/format/registry-sources.ts';
import {
  COMPLETENESS_NAMES,
  type CompletenessField,
  registryNumber,
} from '../../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { TrialFilters } from '../filters.ts';
import { madeOnce } from '../image-cache.ts';

/** How many registrations of a registry state what a filter asks for, and what an answer says where hardly any does. */

export interface StatedCount {
  registrations: number;
  /** Those that state at least one of the fields. */
  stated: number;
}

const counted = madeOnce((_image: SnapshotImage) => new Map<string, StatedCount>());

/** Counts once for each image. */
export function statedCount(
  image: SnapshotImage,
  registry: RegistryId,
  fields: readonly CompletenessField[],
): StatedCount {
  const mask = fields.reduce((bits, field) => bits | (1 << COMPLETENESS_NAMES.indexOf(field)), 0);
  const key = `${registry} ${mask}`;
  const count = counted(image).get(key) ?? countStated(image, registry, mask);
  counted(image).set(key, count);
  return count;
}

function countStated({ columns, trials }: SnapshotImage, registry: RegistryId, mask: number): StatedCount {
  const held = 1 << registryNumber(registry);
  const presence = columns[`presence${registryNumber(registry)}`];
  let [registrations, stated] = [0, 0];
  for (let row = 0; row < trials; row++) {
    if (((columns.registries[row] as number) & held) === 0) continue;
    registrations += 1;
    if (((presence[row] as number) & mask) !== 0) stated += 1;
  }
  return { registrations, stated };
}

/** Fields that no registration of the registry states. */
export function unpopulatedFields(image: SnapshotImage, registry: RegistryId): CompletenessField[] {
  return COMPLETENESS_NAMES.filter((name) => statedCount(image, registry, [name]).stated === 0);
}

type FilterName = keyof typeof trialFilterParameters;

/**
 * The fields that a filter reads: a registration that states none of them is never found by it. Every registration has a status and
 * says whether results are posted, and where no site states a status, that of the trial counts; the other filters read no field.
 */
const FIELDS_READ: Partial<Readonly<Record<FilterName, readonly CompletenessField[]>>> = {
  q: ['title', 'officialTitle', 'acronym', 'conditions', 'interventions', 'sponsor'],
  condition: ['conditions'],
  intervention: ['interventions'],
  sponsor: ['sponsor'],
  anySponsor: ['sponsor', 'collaborators', 'funders'],
  sponsorClass: ['sponsorClass'],
  phase: ['phase'],
  studyType: ['studyType'],
  country: ['countries'],
  siteCountry: ['sites'],
  sitePlace: ['sites'],
  topic: ['title', 'conditions'],
  modality: ['title', 'interventions', 'arms'],
  startedAfter: ['dates.start'],
  startedBefore: ['dates.start'],
  completedAfter: ['dates.completion'],
  completedBefore: ['dates.completion'],
  updatedAfter: ['dates.lastUpdated'],
  updatedBefore: ['dates.lastUpdated'],
  primaryCompletionAfter: ['dates.primaryCompletion'],
  primaryCompletionBefore: ['dates.primaryCompletion'],
  firstPostedAfter: ['dates.firstPosted'],
  firstPostedBefore: ['dates.firstPosted'],
  resultsPostedAfter: ['dates.resultsPosted'],
  resultsPostedBefore: ['dates.resultsPosted'],
  enrollmentMin: ['enrollment'],
  enrollmentMax: ['enrollment'],
  age: ['eligibility.ages'],
  sex: ['eligibility.sex'],
  keyword: ['keywords'],
};

/** Fewer than one registration in this many state the fields: the filter leaves out nearly all of the registry. */
const HARDLY_ANY = 20;
/** Values that ask for registrations which do not state the field. */
const NOT_STATED_VALUES: readonly unknown[] = ['not-stated', 'unknown'];

/** What an answer says of the registries that hardly state what its filters ask for: what was left out is unknown, not none. */
export function unstatedNotices(
  { image, manifest }: { image: SnapshotImage; manifest: Manifest },
  query: TrialFilters,
  sources: RegistrySources,
): string[] {
  const wanted: readonly string[] | undefined = query.registry;
  const registries = registryStates(manifest)
    .filter(({ registry, state }) => state !== 'unanswered' && wanted?.includes(registry) !== false)
    .map(({ registry }) => registry);
  return [...askedFields(new Map(Object.entries(query))).values()].flatMap(({ filters, fields }) =>
    registries.flatMap((registry) => {
      const count = statedCount(image, registry, fields);
      if (count.stated * HARDLY_ANY >= count.registrations) return [];
      const { name } = sources.of(registry);
      const asks = `${filters.join(' and ')} ${filters.length > 1 ? 'ask' : 'asks'} for ${fields.join(' or ')}`;
      return fields.every((field) => lacks(registry, field))
        ? `${asks}: ${name} has no such field, so none of its ${count.registrations} registrations can match by it. That is unknown, not none.`
        : `${asks}: ${count.stated} of ${count.registrations} registrations of ${name} state it, and the others cannot match. What they are is unknown, not none.`;
    }),
  );
}

/** The filters of the request that read the same fields together. */
function askedFields(query: ReadonlyMap<string, unknown>) {
  const asked = new Map<string, { filters: string[]; fields: readonly CompletenessField[] }>();
  for (const [filter, fields] of Object.entries(FIELDS_READ)) {
    const value = query.get(filter);
    if (value === undefined) continue;
    if (Array.isArray(value) && value.some((one) => NOT_STATED_VALUES.includes(one))) continue;
    const known = asked.get(fields.join());
    if (known === undefined) asked.set(fields.join(), { filters: [filter], fields });
    else known.filters.push(filter);
  }
  return asked;
}

/** Whether the table of fields says that the registry has no such field. */
function lacks(registry: RegistryId, name: CompletenessField): boolean {
  const listed = COMPARED_LIST.find((one) => one.name === name);
  return listed?.field.source[registry].startsWith('none') ?? false;
}
