import { searchTrials } from '../../../contract/operations/trials.ts';
import { type Html, html } from '../html.ts';
import { counted } from '../kit/counted.ts';
import type { Page } from '../page.ts';
import { FailedRead } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { notHeld } from '../subjects/not-held.ts';
import { searchAddress } from '../subjects/search-address.ts';
import { type Found, SHOWN, subjectContent } from '../subjects/subject.ts';
import { matchMeta } from '../trials/search-matching.ts';

const INDEX = { title: 'See the sponsors with most trials', href: '/sponsors' };

export function sponsorAddress(name: string): string {
  return `/sponsors/${encodeURIComponent(name)}`;
}

/** A sponsor by the words of its name, as the filter reads them: registries write one sponsor in several ways. */
export const sponsorPage: Page = {
  id: 'page-sponsor',
  async respond(request) {
    const { reads, params } = request;
    const name = params.name!;
    const [found, anyRole] = await Promise.all([
      reads.attempt(searchTrials, { sponsor: name, sort: 'start', pageSize: SHOWN }),
      reads.attempt(searchTrials, { anySponsor: name, pageSize: 1 }),
    ]);
    const inAnyRole = anyRole instanceof FailedRead ? 0 : (anyRole.meta.pagination?.totalItems ?? 0);
    if (found instanceof FailedRead) {
      if (found.status !== 400) throw found;
      return notHeld({ name, kind: 'sponsor', near: [], index: INDEX });
    }
    if (found.data.trials.length === 0) {
      return notHeld({ name, kind: 'sponsor', near: [...asCollaborator(name, inAnyRole), ...spelled(found, name)], index: INDEX });
    }
    const written = asWritten(found, name);
    if (written !== name) return redirect(sponsorAddress(written), 301);
    const total = found.meta.pagination?.totalItems ?? 0;
    return subjectContent(
      request,
      {
        title: name,
        filters: { sponsor: name },
        counts: html`whose lead sponsor’s name has all words of “<bdi>${name}</bdi>”`,
        facets: ['sponsor', 'condition', 'country'],
        notes:
          inAnyRole > total &&
          html`<p>${counted(inAnyRole, searchAddress({ anySponsor: name }))} with its collaborators and funders counted too.</p>`,
      },
      { found, canonical: sponsorAddress(name) },
    );
  },
};

/** The name with the capitals of a record, where one has the same letters. */
function asWritten(found: Found, name: string): string {
  const names = found.data.trials.flatMap(({ sponsor }) => sponsor.name ?? []);
  if (names.includes(name)) return name;
  return names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

function asCollaborator(name: string, trials: number): Html[] {
  if (trials === 0) return [];
  return [
    html`<a href="${searchAddress({ anySponsor: name })}">As a collaborator or funder: <span class="count">${trials.toLocaleString('en-GB')}</span></a>`,
  ];
}

function spelled(found: Found, name: string): Html[] {
  const spelling = matchMeta(found.meta).fewResults?.spelling ?? [];
  return spelling.flatMap(({ word, nearest }) =>
    nearest.map((near) => {
      const mended = name.replaceAll(word, near.word);
      return html`<a href="${sponsorAddress(mended)}"><bdi>${mended}</bdi></a>`;
    }),
  );
}
