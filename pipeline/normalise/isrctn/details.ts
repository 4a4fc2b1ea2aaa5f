import type { RegistrationFields } from '../../../snapshot/format/registration.ts';
import { splitDrugNames } from '../drug-names.ts';
import { type Fields, objectAt, objectsAt, textAt, textsAt } from '../fields.ts';
import { withoutFiller } from '../not-stated.ts';
import { withoutContactSection, withoutContacts } from '../prose.ts';
import { isrctnSponsorClass } from '../vocabulary.ts';
import type { IsrctnTrial } from './xml.ts';

/** The long fields of a trial (contract/fields/registry-detail-fields.ts). Contacts are not read. */
export function isrctnDetails({ trial, sponsors, funders }: IsrctnTrial) {
  const summary = withoutFiller(textAt(objectAt(trial, 'trialDescription'), 'plainEnglishSummary'));
  const parties = objectAt(trial, 'parties');
  return {
    briefSummary: summary === null ? null : withoutContactSection(summary),
    keywords: [],
    conditionMesh: [],
    conditionMeshAncestors: [],
    interventionMesh: [],
    interventionMeshAncestors: [],
    sponsors: inOrder(sponsors, textsAt(parties, 'sponsorId')).flatMap(sponsorOf),
    collaborators: [],
    funders: inOrder(funders, textsAt(parties, 'funderId')).flatMap(funderOf),
    interventionDescriptions: objectsAt(objectAt(trial, 'interventions'), 'intervention').flatMap(descriptionOf),
    arms: [],
  } satisfies Partial<RegistrationFields>;
}

/** Prose below `key` without what leads to a person. */
export function proseOf(fields: Fields, key: string): string | null {
  const text = withoutFiller(textAt(fields, key));
  return text === null ? null : withoutContacts(text);
}

/** Organisations in the order in which the trial names their ids, then those that it does not name. */
export function inOrder(given: Fields[], ids: string[]): Fields[] {
  const placeOf = (one: Fields): number => {
    const place = ids.indexOf(textAt(one, '@id') ?? '');
    return place < 0 ? ids.length : place;
  };
  return given.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** ISRCTN's own kind of a sponsor. */
export function sponsorClassRaw(sponsor: Fields): string | null {
  return textAt(sponsor, 'sponsorType') ?? textAt(sponsor, 'commercialStatus');
}

function sponsorOf(sponsor: Fields): RegistrationFields['sponsors'] {
  const name = withoutFiller(textAt(sponsor, 'organisation'));
  const classRaw = sponsorClassRaw(sponsor);
  const reference = withoutFiller(textAt(sponsor, 'rorId'));
  return name === null ? [] : [{ name, class: isrctnSponsorClass(classRaw), classRaw, reference }];
}

function funderOf(funder: Fields): RegistrationFields['funders'] {
  const name = withoutFiller(textAt(funder, 'name'));
  const reference = withoutFiller(textAt(funder, 'fundRef'));
  return name === null ? [] : [{ name, class: 'unknown', classRaw: null, reference }];
}

function descriptionOf(intervention: Fields): RegistrationFields['interventionDescriptions'] {
  const description = proseOf(intervention, 'description');
  return description === null ? [] : [{ names: splitDrugNames(textAt(intervention, 'drugNames')), description }];
}
