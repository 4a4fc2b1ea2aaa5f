import { getTrialFacets } from '../../../contract/operations/trials/trial-facets.ts';
import { searchTrials } from '../../../contract/operations/trials/trials.ts';
import { type Html, html } from '../html.ts';
import { sponsorAddress } from '../kit/address.ts';
import { joined, list, trialsInWords as trials } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { FailedRead, type Reads } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';
import { matchMeta } from '../trials/search-matching.ts';
import { type Found, notHeld, readResultsShare, SHOWN, subjectContent, totalOf } from './subject.ts';

const NEWEST = { sort: 'start', pageSize: SHOWN } as const;

/** A sponsor by its whole name, else every sponsor whose name has the words. */
export const sponsorPage: Page = {
  id: 'page-sponsor',
  async respond(request) {
    const { params } = request;
    const reads = request.reads.bare;
    const name = params.name!;
    const [exactly, named, anyRole] = await Promise.all([
      reads.attempt(searchTrials, { ...exact(name), ...NEWEST }),
      reads.attempt(searchTrials, { sponsor: name, pageSize: 1 }),
      reads.attempt(searchTrials, { anySponsor: name, pageSize: 1 }),
    ]);
    const failed = [exactly, named].find((one) => one instanceof FailedRead && one.status !== 400);
    if (failed !== undefined) throw failed;
    const inAnyRole = anyRole instanceof FailedRead ? 0 : totalOf(anyRole);
    if (!(exactly instanceof FailedRead) && totalOf(exactly) > 0) {
      const inName = named instanceof FailedRead ? 0 : totalOf(named);
      return oneSponsor(request, name, { exactly, inName, inAnyRole });
    }
    if (named instanceof FailedRead || totalOf(named) === 0) {
      const near = [...asRole(name, inAnyRole, 'As a collaborator or funder'), ...(await spelled(request.reads, name))];
      const index = { title: 'See the sponsors with most trials', href: '/sponsors' };
      return notHeld({ name, kind: 'sponsor', near, index });
    }
    return subjectContent(
      request,
      {
        title: `Sponsors named “${name}”`,
        filters: { sponsor: name },
        counts: html`whose lead sponsor’s name has all words of “<bdi>${name}</bdi>”`,
        facets: ['sponsor', 'condition', 'country'],
      },
      { found: await reads.read(searchTrials, { sponsor: name, ...NEWEST }), canonical: sponsorAddress(name) },
    );
  },
};

const exact = (name: string): Given => ({ sponsor: name, sponsorMatch: 'exact' });

interface Counted {
  exactly: Found;
  /** Trials whose lead sponsor has the words in its name. */
  inName: number;
  /** Trials where it is a collaborator or funder too, by the words of its name. */
  inAnyRole: number;
}

async function oneSponsor(
  request: PageRequest,
  asked: string,
  { exactly, inName, inAnyRole }: Counted,
): Promise<PageContent> {
  const name = asWritten(exactly, asked);
  if (name !== asked) return redirect(sponsorAddress(name), 301);
  const reads = request.reads.bare;
  const filters = { sponsor: name };
  const isWider = inName > totalOf(exactly);
  const [names, share] = isWider
    ? await Promise.all([longerNames(reads, name), readResultsShare(reads, filters)])
    : [[], null];
  const wider = [
    isWider &&
      html`<a href="${searchAddress(filters)}">With these words in the lead sponsor’s name: ${trials(inName)}</a>${names.length > 0 && html`, among them as ${joined(names)}`}`,
    ...asRole(name, inAnyRole > inName ? inAnyRole : 0, 'Also as collaborator or funder'),
  ].filter((one) => one !== false);
  return subjectContent(
    request,
    {
      title: name,
      filters: exact(name),
      counts: html`whose lead sponsor is <bdi>${name}</bdi>, as the registries write it`,
      facets: ['condition', 'country', 'phase'],
      notes: wider.length > 0 && list(wider),
      besides: share === null ? undefined : { share, filters, whose: 'Under all names with these words' },
    },
    { found: exactly, canonical: sponsorAddress(name) },
  );
}

/** Other lead sponsors whose name contains this one, most trials first, each with its page. */
async function longerNames(reads: Reads, name: string): Promise<Html[]> {
  const read = await reads.attempt(getTrialFacets, { anySponsor: name, facet: 'sponsor', text: name });
  if (read instanceof FailedRead) return [];
  const others = (read.data.facets[0]?.values ?? []).filter(({ value }) => value.toLowerCase() !== name.toLowerCase());
  return others.map(
    ({ value, trials: number }) =>
      html`<a href="${sponsorAddress(value)}"><bdi>${value}</bdi>: ${trials(number ?? 0)}</a>`,
  );
}

/** The name with the capitals of a record, where one has the same letters. */
function asWritten(found: Found, name: string): string {
  const names = found.data.trials.flatMap(({ sponsor }) => sponsor.name ?? []);
  return names.includes(name) ? name : (names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name);
}

/** Trials in any role, as a link; nothing where there are none to tell of. */
function asRole(name: string, number: number, words: string): Html[] {
  return number === 0 ? [] : [html`<a href="${searchAddress({ anySponsor: name })}">${words}: ${trials(number)}</a>`];
}

/** The name with a word mended. */
async function spelled(reads: Reads, name: string): Promise<Html[]> {
  const found = await reads.attempt(searchTrials, { sponsor: name, pageSize: 1 });
  if (found instanceof FailedRead) return [];
  const near = (matchMeta(found.meta).hints ?? []).filter(({ cause }) => cause === 'spelling');
  return near.map(({ call }) => {
    const mended = new URLSearchParams(call.split('?')[1]).get('sponsor') ?? name;
    return html`<a href="${sponsorAddress(mended)}"><bdi>${mended}</bdi></a>`;
  });
}
