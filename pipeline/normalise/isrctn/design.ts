import type { RegistrationFields } from '../../../snapshot/format/registration.ts';
import { countryName } from '../../../snapshot/format/words/countries.ts';
import { allocationOf, maskingOf, plainWord, plainWords, saysRandomized, sexAndAges } from '../design-words.ts';
import {
  elementsAt,
  type Fields,
  objectAt,
  objectBelow,
  objectOrEmpty,
  objectsAt,
  textAt,
  textsAt,
  XML_TEXT,
} from '../fields.ts';
import { isFiller, withoutFiller } from '../not-stated.ts';
import { webAddressIn } from '../publications.ts';
import type { RecordDates } from '../values.ts';
import { proseOf } from './details.ts';

/** What a trial states of its design (contract/fields/registry-design-fields.ts). Contacts are not read. */
export function isrctnDesign(trial: Fields, stated: RecordDates) {
  const description = objectAt(trial, 'trialDescription');
  const results = objectAt(trial, 'results');
  const plan = textAt(objectAt(trial, 'miscellaneous'), 'ipdSharingPlan');
  return {
    primaryOutcomes: outcomesAt(description, 'primaryOutcomes', 'primaryOutcome'),
    secondaryOutcomes: outcomesAt(description, 'secondaryOutcomes', 'secondaryOutcome'),
    otherOutcomes: [],
    ...designOf(objectAt(trial, 'trialDesign')),
    ...eligibilityOf(objectAt(trial, 'participants')),
    sites: objectsAt(objectBelow(trial, 'participants', 'trialCentres'), 'trialCentre').flatMap(siteOf),
    whyStopped: proseOf(objectAt(trial, 'trialDesign'), 'reasonAbandoned'),
    ipdSharingPlan: plan === null ? null : planOf(plan),
    ipdSharingStatement: proseOf(results, 'ipdSharingStatement'),
    ipdSharingTypes: plainWords(listOrOne(results, 'dataPolicies', 'dataPolicy').filter((one) => !isFiller(one))),
    ipdSharingTimeFrame: null,
    ipdSharingAccess: null,
    ipdSharingUrl: null,
    documents: documentsOf(trial, stated),
    secondaryIds: secondaryIdsOf(objectAt(trial, 'externalRefs')),
  } satisfies Partial<RegistrationFields>;
}

/** `No` is an answer here; other texts that only fill the field are none. */
function planOf(plan: string): string | null {
  const word = plainWord(plan);
  return word !== 'no' && isFiller(plan) ? null : word;
}

/** Structured measures, which newer records have, else the prose as one measure. */
function outcomesAt(description: Fields, list: string, prose: string): RegistrationFields['primaryOutcomes'] {
  const structured = objectsAt(objectAt(description, list), 'outcomeMeasure').flatMap(outcomeOf);
  if (structured.length > 0) return structured;
  const measure = proseOf(description, prose);
  return measure === null ? [] : [{ measure, timeFrame: null, description: null }];
}

function outcomeOf(outcome: Fields): RegistrationFields['primaryOutcomes'] {
  const variable = proseOf(outcome, 'variable');
  const method = proseOf(outcome, 'method');
  const timeFrame = proseOf(outcome, 'timepoints');
  if (variable !== null) return [{ measure: variable, timeFrame, description: method }];
  return method === null ? [] : [{ measure: method, timeFrame, description: null }];
}

const DESIGN_NOUN = / study$/;

function designOf(design: Fields) {
  const interventional = objectAt(design, 'interventionalTrialDesign');
  const secondary = withoutFiller(textAt(design, 'secondaryStudyDesign'));
  const allocationRaw =
    textAt(interventional, 'allocation') ?? (secondary !== null && saysRandomized(secondary) ? secondary : null);
  const maskingRaw = textAt(interventional, 'masking');
  const assignment = withoutFiller(textAt(interventional, 'assignment'));
  const isObservational = textAt(design, 'primaryStudyDesign')?.toLowerCase() === 'observational';
  return {
    allocation: allocationOf(allocationRaw),
    allocationRaw,
    masking: maskingOf(maskingRaw),
    maskingRaw,
    maskedParties: [],
    maskingDescription: null,
    purposes: purposesOf(design, interventional),
    interventionModel: assignment === null ? null : plainWord(assignment),
    observationalModel: isObservational && secondary !== null ? plainWord(secondary).replace(DESIGN_NOUN, '') : null,
    designDescription: proseOf(design, 'studyDesign'),
  };
}

function purposesOf(design: Fields, interventional: Fields): string[] {
  const purposes = textsAt(objectAt(interventional, 'purposes'), 'purpose');
  const given = purposes.length > 0 ? purposes : listOrOne(design, 'trialTypes', 'trialType');
  return plainWords(given.filter((purpose) => !isFiller(purpose)));
}

/** The texts of a list element, or the text of the one element that older records have in its place. */
function listOrOne(fields: Fields, list: string, name: string): string[] {
  const listed = textsAt(objectAt(fields, list), name);
  return listed.length > 0 ? listed : [textAt(fields, name) ?? []].flat();
}

function eligibilityOf(participants: Fields) {
  return {
    ...sexAndAges(
      withoutFiller(textAt(participants, 'gender')),
      withoutFiller(textAt(participants, 'lowerAgeLimit')),
      withoutFiller(textAt(participants, 'upperAgeLimit')),
    ),
    healthyVolunteers: healthyVolunteersOf(participants),
  };
}

/** Older records list the types of participants only; that one is not listed does not say that it is excluded. */
function healthyVolunteersOf(participants: Fields): boolean | null {
  const allowed = textAt(participants, 'healthyVolunteersAllowed')?.toLowerCase();
  if (allowed === 'true' || allowed === 'false') return allowed === 'true';
  const types = listOrOne(participants, 'participantTypes', 'participantType');
  return types.some((type) => /\bhealthy volunteers?\b/i.test(type)) ? true : null;
}

function siteOf(centre: Fields): RegistrationFields['sites'] {
  const facility = proseOf(centre, 'name');
  const city = proseOf(centre, 'city');
  const state = proseOf(centre, 'state');
  const countryRaw = withoutFiller(textAt(centre, 'country'));
  if (facility === null && city === null && state === null && countryRaw === null) return [];
  const country = countryRaw === null ? null : countryName(countryRaw);
  return [{ facility, city, state, country, status: null, latitude: null, longitude: null }];
}

/** Sheets for patients are no publications; every other address of an output is among the publications. */
const PATIENT_SHEET = 'pis';

function documentsOf(trial: Fields, stated: RecordDates): RegistrationFields['documents'] {
  const attached = objectsAt(objectAt(trial, 'attachedFiles'), 'attachedFile').filter(
    (file) => textAt(file, 'public')?.toLowerCase() !== 'false',
  );
  const addresses = new Map(attached.map((file) => [textAt(file, 'id'), textAt(file, '@downloadUrl')]));
  const named = new Set<string | null>();
  const documents: RegistrationFields['documents'] = [];
  for (const output of objectsAt(objectAt(trial, 'outputs'), 'output')) {
    const file = objectAt(output, 'localFile');
    const fileId = textAt(file, '@fileId');
    const type = textAt(output, '@outputType');
    const page = webAddressIn(textAt(objectOrEmpty(output, 'externalLink'), '@url') ?? '');
    const isSheet = type?.toLowerCase() === PATIENT_SHEET && page !== null;
    if (file.value === null && !isSheet) continue;
    named.add(fileId);
    const date =
      stated.read('documents', textAt(output, '@dateCreated')) ??
      stated.read('documents', textAt(output, '@dateUploaded'));
    documents.push({
      type,
      label: proseOf(output, 'description') ?? textAt(file, '@originalFilename'),
      date: date?.date ?? null,
      url: addresses.get(fileId) ?? page,
    });
  }
  for (const file of attached) {
    if (named.has(textAt(file, 'id'))) continue;
    const label = proseOf(file, 'description') ?? textAt(file, 'name');
    documents.push({ type: null, label, date: null, url: textAt(file, '@downloadUrl') });
  }
  return documents;
}

/** The typed elements of externalRefs beside the DOI, which holds the record's own number. */
const NUMBER_FIELDS = ['eudraCTNumber', 'irasNumber', 'clinicalTrialsGovNumber', 'protocolSerialNumber'];

function secondaryIdsOf(refs: Fields): RegistrationFields['secondaryIds'] {
  const typed = NUMBER_FIELDS.map((field) => ({ id: proseOf(refs, field), type: null, field }));
  const listed = elementsAt(objectAt(refs, 'secondaryNumbers'), 'secondaryNumber').map((number) => ({
    id: proseOf(number, XML_TEXT),
    type: textAt(number, '@numberType'),
    field: 'secondaryNumbers',
  }));
  return [...typed, ...listed].flatMap(({ id, type, field }) =>
    id === null ? [] : [{ id, type, domain: null, link: null, field }],
  );
}
