import { getTrialFacets } from '../../../contract/operations/trials/trial-facets.ts';
import type { Facet } from '../../../contract/schemas/trials/trial-facets.ts';
import { type Html, html } from '../html.ts';
import { counted } from '../kit/parts.ts';
import { joined, trialsInWords } from '../kit/words.ts';
import { FailedRead, type Reads } from '../reads.ts';
import { REGISTRY_NAMES } from '../words/trials.ts';
import { type Given, searchAddress } from './search-asked.ts';
import type { AskedFacets } from './search-facets.ts';

/** From which registries trials come that state nothing of a field: a large number is seldom a fact about the trials. */

/** The value of a facet that means that nothing is stated, the filters that find it, and the field in words. */
const SILENT: Partial<Record<Facet, { value: string; filters: Given; field: string }>> = {
  phase: { value: 'not-stated', filters: { phase: 'not-stated', phaseMatch: 'exact' }, field: 'phase' },
  sponsorClass: { value: 'unknown', filters: { sponsorClass: 'unknown' }, field: 'kind of sponsor' },
};
/** Where more than this share of the trials states nothing, it is said why. */
const LARGE_SHARE = 0.5;

export type SilentNotes = Partial<Record<Facet, Html>>;

/** A sentence for each facet in which the trials that state nothing are most of all. */
export async function silentNotes(reads: Reads, filters: Given, facets: AskedFacets): Promise<SilentNotes> {
  if (facets instanceof FailedRead) return {};
  const large = facets.data.facets.flatMap(({ facet, trials, values }) => {
    const silent = SILENT[facet];
    const number = values.find(({ value }) => value === silent?.value)?.trials ?? 0;
    return silent !== undefined && number > trials * LARGE_SHARE ? [facet] : [];
  });
  const notes = await Promise.all(
    large.map(async (facet) => [facet, await silentNote(reads, filters, facet)] as const),
  );
  return Object.fromEntries(notes.filter(([, note]) => note !== null));
}

/** How many of the trials that state nothing of a field are in which registry; null where it could not be counted. */
export async function silentNote(reads: Reads, filters: Given, facet: Facet): Promise<Html | null> {
  const silent = SILENT[facet];
  if (silent === undefined) return null;
  const asked = { ...filters, ...silent.filters };
  const read = await reads.attempt(getTrialFacets, { ...asked, facet: 'registry' });
  if (read instanceof FailedRead || read.data.trials === 0) return null;
  const of = (read.data.facets[0]?.values ?? []).filter(({ trials }) => (trials ?? 0) > 0);
  const parts = of.map(
    ({ value, title, trials }) =>
      html`${counted(trials, searchAddress({ ...asked, registry: value }))} in ${REGISTRY_NAMES[value as keyof typeof REGISTRY_NAMES] ?? title}`,
  );
  return html`${trialsInWords(read.data.trials)} ${read.data.trials === 1 ? 'states' : 'state'} no ${silent.field}: ${joined(parts)}. A registry’s data may leave the field out.`;
}
