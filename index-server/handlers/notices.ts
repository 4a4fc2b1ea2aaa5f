import type { RequestContext } from '../../server-kit/mount.ts';
import { askedCountry, isPartOfCountry } from '../../snapshot-format/countries.ts';
import { excludedIn } from '../search/concepts/parse.ts';
import type { TrialFilters } from '../search/filters.ts';

/** What the caller may not have meant by a filter, said first and plainly. */

/** An opening bracket stands for the group that it begins. */
const GROUP = 'the words in parentheses';

/**
 * By words, what the caller wants excluded must occur: the opposite of what was meant. The address is that of the same request by
 * concepts, which excludes it.
 */
export function exclusionNotices(
  {
    q = '',
    intervention = '',
    match = 'words',
  }: Pick<TrialFilters, 'q' | 'intervention'> & { match?: string | undefined },
  { baseUrl, path, applied }: RequestContext,
): string[] {
  const excluded = match === 'words' ? [q, intervention].flatMap(excludedIn) : [];
  if (excluded.length === 0) return [];
  const named = excluded.map((one) => (one.startsWith('(') ? GROUP : one)).join(', ');
  const { page, ...same } = applied;
  const address = `${baseUrl}${path}?${new URLSearchParams({ ...same, match: 'concepts' })}`;
  return [
    `This answer has only trials with ${named}, the opposite of leaving it out: match=words excludes nothing. To leave it out: ${address}`,
  ];
}

/** A part of a country is read as the whole of it, since neither registry says more; a city is read by one of its names. */
export function placeNotices({
  country,
  siteCountry,
  sitePlace,
}: Pick<TrialFilters, 'country' | 'siteCountry' | 'sitePlace'>): string[] {
  const parts = Object.entries({ country, siteCountry }).flatMap(([parameter, asked]) =>
    asked !== undefined && isPartOfCountry(asked)
      ? `${parameter}=${asked} was read as ${askedCountry(asked)}: countries are held as a whole, so the trials may be in any part of it.`
      : [],
  );
  return sitePlace === undefined
    ? parts
    : [
        ...parts,
        `sitePlace=${sitePlace} is read as the whole name of a city, as records write it: sites that are written in another language or with a district are not among them.`,
      ];
}
