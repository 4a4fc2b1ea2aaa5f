import { TOPIC_TITLES } from '../../../contract/declared/topics.ts';
import { named, REGISTRY_NAMES } from '../../../contract/fields/value-names.ts';
import type { TRIAL_SORTS } from '../../../contract/operations/trials/trials.ts';
import type { TrialListItem, TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import type { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { type Html, html } from '../html.ts';
import { instant, joined } from '../kit/words.ts';

/** Names of filters and vocabulary values in readable form. */

export type TrialFilter = keyof typeof trialFilterParameters;
export type AppliedFilters = Partial<Record<TrialFilter, string>>;

/** The values of a filter that takes several. */
export function listOf(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(',').map((part) => part.trim());
}

export { named, REGISTRY_NAMES };

export const FILTER_TITLES: Record<TrialFilter, string> = {
  q: 'Words',
  match: 'Matching of the words',
  condition: 'Condition',
  intervention: 'Intervention',
  sponsor: 'Sponsor',
  status: 'Status',
  phase: 'Phase',
  studyType: 'Study type',
  country: 'Country',
  registry: 'Registry',
  topic: 'Topic',
  modality: 'Modality (inferred)',
  resultsAvailable: 'Results posted',
  startedAfter: 'Started on or after',
  startedBefore: 'Started on or before',
  completedAfter: 'Completed on or after',
  completedBefore: 'Completed on or before',
  updatedAfter: 'Updated on or after',
  updatedBefore: 'Updated on or before',
  primaryCompletionAfter: 'Primary completion on or after',
  primaryCompletionBefore: 'Primary completion on or before',
  firstPostedAfter: 'First posted on or after',
  firstPostedBefore: 'First posted on or before',
  resultsPostedAfter: 'Results posted on or after',
  resultsPostedBefore: 'Results posted on or before',
  enrollmentMin: 'People, at least',
  enrollmentMax: 'People, at most',
  sponsorClass: 'Class of the sponsor',
  anySponsor: 'Any sponsor or funder',
  inBoth: 'In both registries',
  conflictsOn: 'Registrations differ on',
  resultsGap: 'In the results gap',
  resultsDue: 'Results due by the months since completion',
  resultsDueAfter: 'Results due on or after',
  resultsDueBefore: 'Results due on or before',
  gapClock: 'Results due from',
  gapMonths: 'Months until results are due',
  phaseMatch: 'Combined phases',
  sponsorMatch: 'Reading of the sponsor',
  conditionMatch: 'Reading of the condition',
  age: 'Age of a participant',
  sex: 'Sex of a participant',
  sexMatch: 'Reading of the sex',
  siteCountry: 'Country of a site',
  sitePlace: 'City of a site',
  siteStatus: 'Status of a site there',
  keyword: 'Keywords',
};

export const isTrialFilter = (name: string): name is TrialFilter => Object.hasOwn(FILTER_TITLES, name);

/** Filters whose values are words of ours; others are shown as given: texts, days, numbers. */
const CODED: readonly TrialFilter[] = [
  ...(['topic', 'phase', 'status', 'studyType', 'registry', 'modality', 'sponsorClass', 'sex', 'siteStatus'] as const),
  ...(['inBoth', 'resultsAvailable', 'resultsGap', 'resultsDue'] as const),
];

/** The value of a filter in words. */
export function filterWords(name: TrialFilter, value: string): string {
  const words = name === 'conflictsOn' ? titleOfField : CODED.includes(name) ? named : null;
  return words === null ? value : listOf(value).map(words).join(' or ');
}

/** A filter with its value, as "sponsor: Novartis", and by its name alone where it is only a yes. */
export function filterSaid(name: string, value: string): string {
  if (!isTrialFilter(name)) return `${name} = ${value}`;
  const title = FILTER_TITLES[name].toLowerCase();
  return value === 'true' ? title : `${title}: ${filterWords(name, value)}`;
}

export type TrialSort = (typeof TRIAL_SORTS)[number];
export const SORT_TITLES: Readonly<Record<TrialSort, string>> = {
  updated: 'Newest update first',
  relevance: 'Best match of the words first',
  start: 'Latest start first',
  completion: 'Latest completion first',
  enrollment: 'Most people first',
  daysOverdue: 'Longest in the results gap first',
};

/** Fields of a registration in readable form, by the names that comparisons use. */
const FIELD_TITLES: Readonly<Record<string, string>> = {
  title: 'Title',
  officialTitle: 'Official title',
  acronym: 'Acronym',
  status: 'Status',
  recruitmentStatus: 'Recruitment',
  phase: 'Phase',
  studyType: 'Study type',
  sponsor: 'Lead sponsor',
  'sponsor.class': 'Class of the lead sponsor',
  enrollment: 'Enrolment',
  'enrollment.type': 'Whether the enrolment is actual',
  countries: 'Countries',
  conditions: 'Conditions',
  interventions: 'Interventions',
  primaryEndpoints: 'Primary endpoints',
  'dates.start': 'Started',
  'dates.primaryCompletion': 'Primary completion',
  'dates.completion': 'Completed',
  'dates.firstPosted': 'First posted',
  'dates.lastUpdated': 'Last updated',
  'dates.resultsPosted': 'Results posted on',
  resultsAvailable: 'Results posted',
  sponsorCodes: 'Codes of the sponsor',
  briefSummary: 'Summary',
  keywords: 'Keywords',
  conditionMesh: 'Conditions in MeSH',
  conditionMeshAncestors: 'Conditions in MeSH, broader',
  interventionMesh: 'Interventions in MeSH',
  interventionMeshAncestors: 'Interventions in MeSH, broader',
  sponsors: 'Sponsors',
  collaborators: 'Collaborators',
  funders: 'Funders',
  interventionDescriptions: 'Interventions in prose',
  arms: 'Arms',
  primaryOutcomes: 'Primary outcomes',
  secondaryOutcomes: 'Secondary outcomes',
  otherOutcomes: 'Other outcomes',
  'design.allocation': 'Allocation',
  'design.masking': 'Masking',
  'design.maskedParties': 'Who does not know',
  'design.maskingDescription': 'Masking in prose',
  'design.purposes': 'Purpose',
  'design.interventionModel': 'Model',
  'design.observationalModel': 'Observational model',
  'design.prose': 'Design in prose',
  'eligibility.sex': 'Sex',
  'eligibility.minimumAge': 'Youngest age, in years',
  'eligibility.maximumAge': 'Oldest age, in years',
  'eligibility.healthyVolunteers': 'Healthy volunteers',
  sites: 'Sites',
  whyStopped: 'Why it stopped',
  'ipdSharing.plan': 'Data of participants',
  'ipdSharing.statement': 'Data: statement',
  'ipdSharing.types': 'Data: what else',
  'ipdSharing.timeFrame': 'Data: when',
  'ipdSharing.access': 'Data: for whom',
  'ipdSharing.url': 'Data: page about it',
  documents: 'Documents',
  secondaryIds: 'Other numbers',
};

/** A field as readers know it; its own name where a newer index has one that is not listed. */
export function titleOfField(name: string): string {
  return FIELD_TITLES[name] ?? name;
}

interface RegistryDate {
  date: string;
  precision: 'day' | 'month';
  type: 'actual' | 'estimated' | null;
}

/** A registry's date at its own precision; marked if estimated, since it may change. */
export function registryDate(date: RegistryDate | null): Html {
  return date === null ? instant(null) : html`${instant(date.date)}${date.type === 'estimated' && ' (estimated)'}`;
}

/** An external link if the address is http or https, otherwise the text alone. */
export function outside(address: string | null, text: string): Html | string {
  const protocol = address === null ? undefined : URL.parse(address)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') return text;
  return html`<a href="${address}" rel="noopener noreferrer">${text}</a>`;
}

/** The registrations of a trial, each linked to its record. */
export function registeredAs({ registrations }: Pick<TrialListItem, 'registrations'>): Html {
  const links = registrations.map(({ registry, id, url }) => html`${outside(url, id)} (${REGISTRY_NAMES[registry]})`);
  return joined(links, ' and ');
}

/** The day of the data of the registry that states the status of a trial; null if it is not known. */
export function dataDayOf({ registrations, recruitmentStatus }: TrialRecord, provenance: unknown): string | null {
  const by = registrations.find(({ fields }) => fields.recruitmentStatus === recruitmentStatus) ?? registrations[0];
  const { registries = [] } = (provenance ?? {}) as { registries?: { registry: string; dataDay: string | null }[] };
  return registries.find(({ registry }) => registry === by?.registry)?.dataDay ?? null;
}

/** The page of a trial, by any of its ids. */
export function trialAddress(id: string): string {
  return `/trials/${encodeURIComponent(id)}`;
}

export function pubmedAddress(pmid: string): string {
  return `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(pmid)}/`;
}

export function doiAddress(doi: string): string {
  return `https://doi.org/${doi.split('/').map(encodeURIComponent).join('/')}`;
}

/** A registry's text, cut if it is too long for a page. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  return `${end} … (${(text.length - end.length).toLocaleString('en-GB')} more characters)`;
}

/** The first items, and how many are left out; null if there are none. */
export function firstOf(items: readonly string[], max: number, maxCharacters = 160): string | null {
  if (items.length === 0) return null;
  const shown = items.slice(0, max).map((item) => cut(item, maxCharacters));
  const left = items.length - shown.length;
  return `${shown.join('; ')}${left > 0 ? `; … and ${left.toLocaleString('en-GB')} more` : ''}`;
}

const TOPICS = new Map(Object.entries(TOPIC_TITLES).map(([id, title]) => [title.toLowerCase(), id]));

/** The topic that has this name; null if none has. */
export function topicNamed(name: string): string | null {
  return TOPICS.get(name.trim().toLowerCase()) ?? null;
}
