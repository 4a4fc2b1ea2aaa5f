import type { RegistrationFields } from '../../../snapshot/format/registration.ts';
import { countryName } from '../../../snapshot/format/words/countries.ts';
import { allocationOf, maskingOf, plainWord, plainWords, sexAndAges } from '../design-words.ts';
import { type Fields, flagAt, numberAt, objectAt, objectBelow, objectsAt, textAt, textsAt } from '../fields.ts';
import { withoutFiller } from '../not-stated.ts';
import { withoutContacts } from '../prose.ts';
import type { RecordDates } from '../values.ts';
import { proseOf } from './details.ts';

/** What a study states of its design (contract/fields/registry-design-fields.ts). Contacts of sites are not read. */
export function ctgovDesign(study: Fields, protocol: Fields, nctId: string, stated: RecordDates) {
  const outcomes = objectAt(protocol, 'outcomesModule');
  return {
    primaryOutcomes: outcomesAt(outcomes, 'primaryOutcomes'),
    secondaryOutcomes: outcomesAt(outcomes, 'secondaryOutcomes'),
    otherOutcomes: outcomesAt(outcomes, 'otherOutcomes'),
    ...designOf(objectBelow(protocol, 'designModule', 'designInfo')),
    ...eligibilityOf(objectAt(protocol, 'eligibilityModule')),
    sites: objectsAt(objectAt(protocol, 'contactsLocationsModule'), 'locations').flatMap(siteOf),
    whyStopped: proseOf(objectAt(protocol, 'statusModule'), 'whyStopped'),
    ...sharingOf(objectAt(protocol, 'ipdSharingStatementModule')),
    documents: documentsOf(objectBelow(study, 'documentSection', 'largeDocumentModule'), nctId, stated),
    secondaryIds: secondaryIdsOf(objectAt(protocol, 'identificationModule')),
  } satisfies Partial<RegistrationFields>;
}

function outcomesAt(module: Fields, key: string): RegistrationFields['primaryOutcomes'] {
  const outcomes: RegistrationFields['primaryOutcomes'] = [];
  for (const outcome of objectsAt(module, key)) {
    const measure = proseOf(outcome, 'measure');
    if (measure === null) continue;
    outcomes.push({ measure, timeFrame: proseOf(outcome, 'timeFrame'), description: proseOf(outcome, 'description') });
  }
  return outcomes;
}

function designOf(design: Fields) {
  const masking = objectAt(design, 'maskingInfo');
  const allocationRaw = textAt(design, 'allocation');
  const maskingRaw = textAt(masking, 'masking');
  return {
    allocation: allocationOf(allocationRaw),
    allocationRaw,
    masking: maskingOf(maskingRaw),
    maskingRaw,
    maskedParties: plainWords(textsAt(masking, 'whoMasked')),
    maskingDescription: proseOf(masking, 'maskingDescription'),
    purposes: plainWords([textAt(design, 'primaryPurpose') ?? []].flat()),
    interventionModel: plainWordAt(design, 'interventionModel'),
    observationalModel: plainWordAt(design, 'observationalModel'),
    designDescription: proseOf(design, 'interventionModelDescription'),
  };
}

function plainWordAt(fields: Fields, key: string): string | null {
  const raw = textAt(fields, key);
  return raw === null ? null : plainWord(raw);
}

function eligibilityOf(module: Fields) {
  return {
    ...sexAndAges(
      textAt(module, 'sex'),
      withoutFiller(textAt(module, 'minimumAge')),
      withoutFiller(textAt(module, 'maximumAge')),
    ),
    healthyVolunteers: flagAt(module, 'healthyVolunteers'),
  };
}

function siteOf(location: Fields): RegistrationFields['sites'] {
  // Sponsors that name no facility write their telephone number into it.
  const facility = proseOf(location, 'facility');
  const city = proseOf(location, 'city');
  const state = proseOf(location, 'state');
  const countryRaw = withoutFiller(textAt(location, 'country'));
  if (facility === null && city === null && state === null && countryRaw === null) return [];
  const point = objectAt(location, 'geoPoint');
  return [
    {
      facility,
      city,
      state,
      country: countryRaw === null ? null : countryName(countryRaw),
      status: textAt(location, 'status')?.toLowerCase() ?? null,
      latitude: numberAt(point, 'lat'),
      longitude: numberAt(point, 'lon'),
    },
  ];
}

function sharingOf(module: Fields) {
  return {
    ipdSharingPlan: plainWordAt(module, 'ipdSharing'),
    ipdSharingStatement: proseOf(module, 'description'),
    ipdSharingTypes: plainWords(textsAt(module, 'infoTypes')),
    ipdSharingTimeFrame: proseOf(module, 'timeFrame'),
    ipdSharingAccess: proseOf(module, 'accessCriteria'),
    ipdSharingUrl: proseOf(module, 'url'),
  };
}

/** The registry holds its files in folders by the last two digits of the number. */
function documentsOf(module: Fields, nctId: string, stated: RecordDates): RegistrationFields['documents'] {
  return objectsAt(module, 'largeDocs').map((document) => {
    const filename = textAt(document, 'filename');
    const folder = `https://cdn.clinicaltrials.gov/large-docs/${nctId.slice(-2)}/${nctId}`;
    const date =
      stated.read('documents', textAt(document, 'date')) ?? stated.read('documents', textAt(document, 'uploadDate'));
    return {
      type: textAt(document, 'typeAbbrev'),
      label: proseOf(document, 'label'),
      date: date?.date ?? null,
      url: filename === null ? null : `${folder}/${encodeURIComponent(filename)}`,
    };
  });
}

function secondaryIdsOf(identification: Fields): RegistrationFields['secondaryIds'] {
  const given: [string, Fields][] = [
    ['orgStudyIdInfo', objectAt(identification, 'orgStudyIdInfo')],
    ...objectsAt(identification, 'secondaryIdInfos').map((info): [string, Fields] => ['secondaryIdInfos', info]),
  ];
  const ids: RegistrationFields['secondaryIds'] = [];
  for (const [field, info] of given) {
    const id = withoutFiller(textAt(info, 'id'));
    if (id === null) continue;
    const domain = textAt(info, 'domain');
    ids.push({
      id: withoutContacts(id),
      type: textAt(info, 'type'),
      domain: domain === null ? null : withoutContacts(domain),
      link: textAt(info, 'link'),
      field,
    });
  }
  return ids;
}
