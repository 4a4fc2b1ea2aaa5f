import { PRESENTATION_PARAMETERS } from '../../contract/operations/trials/trials.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { askedCountry } from './words/countries.ts';

/** The filters as they were read: each country and each value by the word of this index. */
export function filtersAsRead(applied: Readonly<Record<string, string>>): Record<string, string> {
  const filters = Object.entries(applied).filter(([name]) => !PRESENTATION_PARAMETERS.includes(name));
  return Object.fromEntries(filters.map(([name, sent]) => [name, readAs(name, sent)]));
}

const INTEGER = /^-?\d+$/;
const COUNTRIES: readonly string[] = ['country', 'siteCountry'];

function readAs(name: string, sent: string): string {
  if (COUNTRIES.includes(name)) return askedCountry(sent) ?? sent;
  if (!Object.hasOwn(trialFilterParameters, name)) return sent;
  const { data } = trialFilterParameters[name as keyof typeof trialFilterParameters].safeParse(sent);
  if (Array.isArray(data)) return data.join(',');
  // A day is read as its number, and has one spelling.
  const isNumber = typeof data === 'number' && INTEGER.test(sent);
  return isNumber || typeof data === 'string' || typeof data === 'boolean' ? String(data) : sent;
}
