import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../index-server/search/row-set.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { foldPlace, foldTerm, NO_AGE, NOT_STATED, POSTING } from '../../snapshot/format/serving-columns.ts';
import { dayNumber } from '../../snapshot/format/words/dates.ts';
import { organisation, registration, registryDate, site } from '../builders/registration.ts';
import { type BuiltImage, buildImage } from '../builders/serving-image.ts';
import type { Corpus } from '../builders/snapshot-tables.ts';

const STUDY = registration('NCT00000026', {
  sponsorName: 'Acme Pharma',
  sponsorClass: 'industry',
  sponsors: [organisation('Acme Pharma')],
  collaborators: [organisation('University Hospitals of Leeds')],
  minimumAge: 1.5,
  maximumAge: null,
  healthyVolunteers: false,
  sites: [site('France', 'Saint-Étienne'), site('France', 'PARIS'), site(null, '???')],
  dates: {
    start: null,
    primaryCompletion: registryDate('2025-05'),
    completion: null,
    firstPosted: null,
    lastUpdated: registryDate('2026-03-05'),
    resultsPosted: registryDate('2026-01-02'),
  },
});
/** Of the same trial: its sex fills a gap, its ages and its healthy volunteers do not count. */
const TRIAL = registration('ISRCTN12345678', {
  sex: 'female',
  minimumAge: 16,
  maximumAge: 65,
  healthyVolunteers: true,
  funders: [organisation('Wellcome Trust')],
  sites: [site('United Kingdom', 'Leeds')],
});
const BARE = registration('NCT00000052');

const CORPUS: Corpus = {
  trials: [
    { canonicalId: 'wt_bbbbbbbbbbbb', aliases: [], registrations: [STUDY, TRIAL] },
    { canonicalId: 'wt_cccccccccccc', aliases: [], registrations: [BARE] },
  ],
  identifiers: [],
  links: [],
  relations: [],
};
const [BOTH, NOTHING] = [0, 1];

const day = (date: string): number => dayNumber({ date, precision: 'day' }).first;

function rowsAt(image: SnapshotImage, key: string): number[] {
  const posting = image.posting(key);
  return posting === null ? [] : [...rowsOf(posting)];
}

describe('what filters by long fields read of an image', () => {
  let built: BuiltImage;
  beforeAll(async () => {
    built = await buildImage(CORPUS);
  });
  afterAll(() => built[Symbol.asyncDispose]());

  it('days of primary completion and of posted results, a month from its first to its last day', () => {
    const { columns } = built.image;
    expect([...columns.primaryCompletionFirst]).toEqual([day('2025-05-01'), NOT_STATED]);
    expect([...columns.primaryCompletionLast]).toEqual([day('2025-05-31'), NOT_STATED]);
    expect([...columns.resultsPostedFirst]).toEqual([day('2026-01-02'), NOT_STATED]);
  });

  it('ages in completed years, both of the first registration that states either', () => {
    expect([...built.image.columns.minAge]).toEqual([1, NO_AGE]);
    expect([...built.image.columns.maxAge]).toEqual([NO_AGE, NO_AGE]);
  });

  it('sex and healthy volunteers of the first registration that states them, and the class of the sponsor', () => {
    const { image } = built;
    expect(rowsAt(image, `${POSTING.sex}female`)).toEqual([BOTH]);
    expect(rowsAt(image, `${POSTING.sex}not-stated`)).toEqual([NOTHING]);
    expect(rowsAt(image, `${POSTING.healthy}false`)).toEqual([BOTH]);
    expect(rowsAt(image, `${POSTING.healthy}true`)).toEqual([]);
    expect(rowsAt(image, `${POSTING.healthy}not-stated`)).toEqual([NOTHING]);
    expect(rowsAt(image, `${POSTING.sponsorClass}industry`)).toEqual([BOTH]);
    expect(rowsAt(image, `${POSTING.sponsorClass}unknown`)).toEqual([NOTHING]);
  });

  it('countries and cities of the sites of every registration, however they are written', () => {
    const { image } = built;
    expect(rowsAt(image, POSTING.siteCountry + foldTerm('FRANCE'))).toEqual([BOTH]);
    expect(rowsAt(image, POSTING.siteCountry + foldTerm('United Kingdom'))).toEqual([BOTH]);
    for (const city of ['saint etienne', 'Paris', 'Leeds']) {
      expect(rowsAt(image, POSTING.siteCity + foldPlace(city))).toEqual([BOTH]);
    }
    expect(foldPlace('  Saint-Étienne ')).toBe('saint etienne');
    expect(rowsAt(image, POSTING.siteCity)).toEqual([]);
  });

  it('words of every sponsor, collaborator and funder, which stay out of the text and of the sponsor', () => {
    const { image } = built;
    for (const word of ['acme', 'university', 'wellcome']) {
      expect(rowsAt(image, POSTING.anySponsor + word)).toEqual([BOTH]);
    }
    expect(rowsAt(image, `${POSTING.sponsor}acme`)).toEqual([BOTH]);
    for (const word of ['university', 'wellcome', 'paris']) {
      expect(rowsAt(image, POSTING.text + word)).toEqual([]);
      expect(rowsAt(image, POSTING.sponsor + word)).toEqual([]);
    }
  });
});
