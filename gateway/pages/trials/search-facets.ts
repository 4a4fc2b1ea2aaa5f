import type { CoverageRecord, LandscapeRecord } from '../../../contract/schemas/counts.ts';
import { TRIAL_STATUSES } from '../../../contract/vocabularies.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { count } from '../kit/words.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { type AppliedFilters, listOf, named, type TrialFilter } from './words.ts';

/**
 * Facets: values that narrow the trials found, each with the number of trials that its link finds. A value whose link
 * would find other trials is shown without a link.
 */

interface FacetValue {
  value: string;
  title: string;
  /** Null if the registry never answered. */
  trials: number | null;
  standing: 'link' | 'applied' | 'plain';
}

interface FacetInput {
  applied: AppliedFilters;
  /** Of the search with its filters and order. */
  address: URLSearchParams;
  landscape: Answered<LandscapeRecord> | FailedRead;
  coverage: Answered<CoverageRecord> | FailedRead;
}

export function facets({ applied, address, landscape, coverage }: FacetInput): Html {
  const group = (title: string, name: TrialFilter, values: readonly FacetValue[], note?: string): Html | false =>
    values.length > 0 &&
    html`<h3>${title}</h3>
<ul class="facets">${values.map((value) => facetOf(name, value, address))}</ul>
${note !== undefined && html`<p class="soft">${note}</p>`}`;
  const registries =
    coverage instanceof FailedRead
      ? failedPart('The count by registry', coverage)
      : group(
          'Registry',
          'registry',
          registryFacets(coverage.data, applied),
          'A trial of both counts in each: never add these up.',
        );
  if (landscape instanceof FailedRead) return html`${failedPart('The counts by value', landscape)}${registries}`;
  const { data } = landscape;
  return html`${group('Status', 'status', statusFacets(data, applied))}
${group('Recruitment', 'status', recruitmentFacets(data, applied))}
${group('Phase', 'phase', phaseFacets(data, applied), 'A combined phase counts in each of its parts too.')}
${group('Study type', 'studyType', plainFacets(data.studyTypes, applied.studyType))}
${registries}
${modalityFacets(data, group, applied)}
${group('Sponsor class', 'sponsorClass', plainFacets(data.sponsorClasses, applied.sponsorClass))}
${sponsorFacets(data, address, applied)}
${enrolment(data)}`;
}

function facetOf(name: TrialFilter, { value, title, trials, standing }: FacetValue, address: URLSearchParams): Html {
  const number = trials === null ? 'no answer' : count(trials);
  const label =
    standing === 'link'
      ? html`<a href="${addressWith('/trials', address, { [name]: value })}">${title}</a>`
      : html`<span>${title}${standing === 'applied' && ' (applied)'}</span>`;
  return html`<li>${label} <span class="soft">${number}</span></li>`;
}

/** The disjoint values that a filter value finds. */
type Finds = (value: string) => readonly string[];
const ITSELF: Finds = (value) => [value];

const COMBINED_PHASES: Record<string, readonly string[]> = {
  '1': ['1', '1-2'],
  '2': ['1-2', '2', '2-3'],
  '3': ['2-3', '3', '3-4'],
  '4': ['3-4', '4'],
};

/** A link can narrow only if everything it finds was already found. */
function standingOf(value: string, current: readonly string[], finds: Finds): FacetValue['standing'] {
  if (current.length === 0) return 'link';
  const found = new Set(current.flatMap(finds));
  const own = finds(value);
  if (!own.every((one) => found.has(one))) return 'plain';
  return own.length === found.size ? 'applied' : 'link';
}

type Mix = readonly { value: string; trials: number }[];

function plainFacets(mix: Mix, applied: string | undefined, finds: Finds = ITSELF): FacetValue[] {
  const current = listOf(applied);
  return mix.flatMap(({ value }): FacetValue[] => {
    const own = finds(value);
    const trials = mix.reduce((sum, one) => (own.includes(one.value) ? sum + one.trials : sum), 0);
    return trials === 0 ? [] : [{ value, title: named(value), trials, standing: standingOf(value, current, finds) }];
  });
}

function phaseFacets({ phases }: Pick<LandscapeRecord, 'phases'>, { phase }: AppliedFilters): FacetValue[] {
  return plainFacets(phases, phase, (value) => COMBINED_PHASES[value] ?? [value]);
}

/** `active` means running. */
function statusesOf({ status }: AppliedFilters): string[] {
  return listOf(status).map((value) => (value === 'active' ? 'running' : value));
}

const isCoarse = (value: string): boolean => (TRIAL_STATUSES as readonly string[]).includes(value);

function statusFacets({ statuses }: Pick<LandscapeRecord, 'statuses'>, applied: AppliedFilters): FacetValue[] {
  const current = statusesOf(applied);
  return plainFacets(statuses, current.length === 0 ? undefined : current.join(','));
}

/**
 * Recruitment statuses without a coarse status of the same name; each belongs to one coarse status, so that it always
 * narrows.
 */
function recruitmentFacets(
  { recruitmentStatuses }: Pick<LandscapeRecord, 'recruitmentStatuses'>,
  applied: AppliedFilters,
): FacetValue[] {
  const finer = recruitmentStatuses.filter(({ value }) => !isCoarse(value));
  const current = statusesOf(applied).filter((value) => !isCoarse(value));
  return plainFacets(finer, current.length === 0 ? undefined : current.join(','));
}

function registryFacets({ registries }: Pick<CoverageRecord, 'registries'>, applied: AppliedFilters): FacetValue[] {
  const current = listOf(applied.registry);
  return registries
    .filter(({ registrations }) => registrations !== 0)
    .map(({ registry, registrations }) => ({
      value: registry,
      title: named(registry),
      trials: registrations,
      standing: registrations === null ? 'plain' : standingOf(registry, current, ITSELF),
    }));
}

type Group = (title: string, name: TrialFilter, values: readonly FacetValue[], note?: string) => Html | false;

/** Shown only if the answer was narrowed by modality; otherwise it would be inferred for all trials. */
function modalityFacets({ modality }: LandscapeRecord, group: Group, applied: AppliedFilters): Html | false {
  if (modality === undefined) return false;
  const current = listOf(applied.modality);
  const values = modality.groups
    .filter(({ trials }) => trials > 0)
    .map(
      ({ id, trials }): FacetValue => ({
        value: id,
        title: named(id),
        trials,
        standing: standingOf(id, current, ITSELF),
      }),
    );
  const note = `Inferred from interventions by ${modality.vocabulary}: a judgement, no registry fact. Groups overlap.`;
  return group('Modality', 'modality', values, note);
}

function sponsorFacets({ sponsors }: LandscapeRecord, address: URLSearchParams, applied: AppliedFilters): Html | false {
  const isWord = (name: string): boolean => applied.sponsor === undefined && /[\p{L}\p{N}]/u.test(name);
  return (
    sponsors.top.length > 0 &&
    html`<h3>Sponsors with most trials</h3>
<ul class="facets">${sponsors.top.map(
      ({ name, trials }) =>
        html`<li>${isWord(name) ? html`<a href="${addressWith('/trials', address, { sponsor: name })}"><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`} <span class="soft">${count(trials)}</span></li>`,
    )}</ul>
<p class="soft">A link searches the words of the name, so it may find more than the number beside it.</p>`
  );
}

function enrolment({ enrollment }: LandscapeRecord): Html {
  const { stated, notStated, lowerQuartile, median, upperQuartile } = enrollment;
  return html`<h3>Enrolment</h3>
<p>${
    median === null
      ? 'No trial here states a number of people.'
      : html`Median ${count(median)} people (quartiles ${count(lowerQuartile)} to ${count(upperQuartile)}); stated by ${count(stated)} trials, not by ${count(notStated)}.`
  }</p>
<p class="soft">Numbers are planned until a trial is completed; they are never summed.</p>`;
}
