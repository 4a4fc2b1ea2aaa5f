import { NO_RESULTS_MEMBER } from '../../../snapshot/format/field-comparison.ts';
import type { Publication, RegistrationFields } from '../../../snapshot/format/registration.ts';
import { countryNames } from '../../../snapshot/format/words/countries.ts';
import { MAX_NESTING } from '../../raw/slice.ts';
import {
  essentialObjectBelow,
  essentialTextAt,
  type Fields,
  flagAt,
  hasKey,
  numberTextAt,
  objectAt,
  objectBelow,
  objectsAt,
  proseAt,
  rootFields,
  textAt,
  textsAt,
} from '../fields.ts';
import { isFiller, withoutFiller } from '../not-stated.ts';
import { withoutEscapes } from '../prose.ts';
import { citationDoi, citationYear } from '../publications.ts';
import {
  EVERY_DAY,
  type NormaliseContext,
  type NormalisedRecord,
  payloadSha256,
  payloadText,
  RecordFault,
  type RejectedRecord,
  readingRecord,
  registrationUrl,
} from '../record.ts';
import { StatedIdentifiers } from '../stated-identifiers.ts';
import { distinct, RecordDates, readCount, sortableInstant } from '../values.ts';
import { CTGOV_STATUS, ctgovPhase, ctgovReferenceKind, ctgovSponsorClass, studyTypeOf } from '../vocabulary.ts';
import { ctgovDesign } from './design.ts';
import { ctgovDetails } from './details.ts';

const REGISTRY = 'clinicaltrials_gov';
const NCT_ID = /^NCT\d{8}$/;

/**
 * Reads one study of the ClinicalTrials.gov API v2. `nctId`, a title (`briefTitle`, else `officialTitle`) and the
 * objects that hold them are essential: a wrong type there rejects the record. Any other field of a wrong type reads as
 * null and is named in `faults`. No field of this registry depends on the as-of day.
 */
export function normaliseCtgov(
  payload: Buffer,
  receivedAt: string,
  context: NormaliseContext,
): NormalisedRecord | RejectedRecord {
  return readingRecord(payload, () => readStudy(payload, receivedAt, context));
}

function readStudy(payload: Buffer, receivedAt: string, context: NormaliseContext): NormalisedRecord {
  const study = rootFields(parseJson(payload, context));
  const identification = essentialObjectBelow(study, 'protocolSection', 'identificationModule');
  const nctId = essentialTextAt(identification, 'nctId');
  if (nctId === null) throw new RecordFault('missing-id', `${identification.path}.nctId is missing`);
  if (!NCT_ID.test(nctId)) throw new RecordFault('bad-id', `nctId ${nctId.slice(0, 60)} is not NCT and 8 digits`);
  const officialTitle = essentialTextAt(identification, 'officialTitle', nctId);
  const title = essentialTextAt(identification, 'briefTitle', nctId) ?? officialTitle;
  if (title === null) throw new RecordFault('missing-title', 'neither briefTitle nor officialTitle is given', nctId);

  const protocol = objectAt(study, 'protocolSection');
  const status = objectAt(protocol, 'statusModule');
  const { list: identifiers, sponsorCodes } = statedIdentifiers(identification, nctId);
  const stated = new RecordDates();
  const dates = dateFields(status, stated);
  const design = ctgovDesign(study, protocol, nctId, stated);
  return {
    ok: true,
    registration: {
      registry: REGISTRY,
      id: nctId,
      url: registrationUrl(REGISTRY, nctId),
      aliases: identifiers.filter(({ role, type }) => role === 'alias' && type === 'nct').map(({ value }) => value),
      payloadSha256: context.payloadSha256 ?? payloadSha256(payload),
      retrievedAt: receivedAt,
      // versionHolder is the day of the whole data set, not a version of this record.
      sourceVersion: null,
      title,
      officialTitle,
      acronym: withoutFiller(textAt(identification, 'acronym')),
      ...statusFields(status),
      ...designFields(objectAt(protocol, 'designModule')),
      ...sponsorFields(protocol),
      ...countryFields(protocol),
      ...armFields(protocol),
      dates,
      dateNotes: stated.notes,
      ...resultsFields(study),
      sponsorCodes,
      ...ctgovDetails(study, protocol),
      ...design,
      eligibilityText: eligibilityOf(protocol),
    },
    identifiers,
    publications: publicationsOf(objectAt(protocol, 'referencesModule'), nctId),
    valid: EVERY_DAY,
    updated: sortableInstant(textAt(objectAt(status, 'lastUpdatePostDateStruct'), 'date')),
    faults: study.faults,
  };
}

/** Who may take part. Its line breaks and blanks make lists, so they stay. */
function eligibilityOf(protocol: Fields): string | null {
  const text = proseAt(objectAt(protocol, 'eligibilityModule'), 'eligibilityCriteria');
  return text === null ? null : withoutEscapes(text);
}

function parseJson(payload: Buffer, context: NormaliseContext): unknown {
  const text = payloadText(payload);
  if (context.nestingChecked !== true) assertShallow(payload);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RecordFault('not-json', error instanceof Error ? error.message : String(error));
  }
}

/** Counts brackets outside strings, because JSON.parse has no limit of depth; over bytes, for speed. */
function assertShallow(payload: Buffer): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < payload.length; index++) {
    const byte = payload[index];
    if (inString) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_NESTING) throw new RecordFault('too-deep', `nested more than ${MAX_NESTING} deep`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
}

/** Types of numbers that are no grants; a number of no type may be anything. */
const CODE_TYPES: readonly (string | null)[] = ['OTHER', null];
/** Committees and authorities: a number that they gave is no sponsor's code. */
const AUTHORITY = /\b(?:IRB|REC|ethics?|committees?|commission|review board|CCMO|EUDAMED|ID-?RCB|ANSM|agence|PDQ)\b/i;
const IRAS_DOMAIN = /^IRAS\b/i;

function statedIdentifiers(identification: Fields, nctId: string): StatedIdentifiers {
  const stated = new StatedIdentifiers(REGISTRY, nctId, 'nctId', nctId);
  for (const alias of textsAt(identification, 'nctIdAliases')) stated.addAlias('nctIdAliases', alias);
  stated.addCode('orgStudyIdInfo.id', textAt(objectAt(identification, 'orgStudyIdInfo'), 'id'));
  for (const info of objectsAt(identification, 'secondaryIdInfos')) {
    const [id, type, domain] = [textAt(info, 'id'), textAt(info, 'type'), textAt(info, 'domain')];
    if (type === 'EUDRACT_NUMBER') stated.addEudract('secondaryIdInfos.id', id, domain);
    else if (domain !== null && IRAS_DOMAIN.test(domain)) stated.addNumeric('iras', 'secondaryIdInfos.id', id, domain);
    else if (CODE_TYPES.includes(type) && !AUTHORITY.test(domain ?? '')) {
      stated.addCode('secondaryIdInfos.id', id, type, domain);
    } else stated.add('secondaryIdInfos.id', id, type, domain);
  }
  return stated;
}

function statusFields(
  status: Fields,
): Pick<RegistrationFields, 'status' | 'recruitmentStatus' | 'statusRaw' | 'statusBasis'> {
  const statusRaw = textAt(status, 'overallStatus');
  if (statusRaw === null) {
    return { status: 'unknown', recruitmentStatus: 'unknown', statusRaw, statusBasis: 'overallStatus is missing' };
  }
  const pair = CTGOV_STATUS.get(statusRaw);
  if (pair === undefined) {
    const statusBasis = `overallStatus ${statusRaw} is not a status of this registry's vocabulary`;
    return { status: 'unknown', recruitmentStatus: 'unknown', statusRaw, statusBasis };
  }
  const lastKnown = statusRaw === 'UNKNOWN' ? textAt(status, 'lastKnownStatus') : null;
  const statusBasis = lastKnown === null ? 'overallStatus' : `overallStatus UNKNOWN; lastKnownStatus ${lastKnown}`;
  return { ...pair, statusRaw, statusBasis };
}

function designFields(
  design: Fields,
): Pick<
  RegistrationFields,
  | 'phase'
  | 'phaseRaw'
  | 'studyType'
  | 'studyTypeRaw'
  | 'enrollmentCount'
  | 'enrollmentType'
  | 'enrollmentRaw'
  | 'enrollmentNote'
> {
  const studyTypeRaw = textAt(design, 'studyType');
  const enrollment = objectAt(design, 'enrollmentInfo');
  const enrollmentRaw = numberTextAt(enrollment, 'count');
  const { count, note } = readCount(enrollmentRaw, 'enrollmentInfo.count');
  return {
    ...ctgovPhase(textsAt(design, 'phases')),
    studyType: studyTypeOf(studyTypeRaw),
    studyTypeRaw,
    enrollmentCount: count,
    enrollmentType: count === null ? null : enrollmentTypeOf(textAt(enrollment, 'type')),
    enrollmentRaw,
    enrollmentNote: note,
  };
}

function enrollmentTypeOf(raw: string | null): 'actual' | 'estimated' | null {
  if (raw === 'ACTUAL') return 'actual';
  return raw === 'ESTIMATED' || raw === 'ANTICIPATED' ? 'estimated' : null;
}

function sponsorFields(protocol: Fields): Pick<RegistrationFields, 'sponsorName' | 'sponsorClass' | 'sponsorClassRaw'> {
  const sponsor = objectBelow(protocol, 'sponsorCollaboratorsModule', 'leadSponsor');
  const sponsorClassRaw = textAt(sponsor, 'class');
  return {
    sponsorName: withoutFiller(textAt(sponsor, 'name')),
    sponsorClass: ctgovSponsorClass(sponsorClassRaw),
    sponsorClassRaw,
  };
}

/** Countries of the sites in order of first appearance. Countries in `removedCountries` had no site in the end. */
function countryFields(protocol: Fields): Pick<RegistrationFields, 'countries' | 'countriesRaw'> {
  const raw: string[] = [];
  for (const location of objectsAt(objectAt(protocol, 'contactsLocationsModule'), 'locations')) {
    const country = textAt(location, 'country');
    if (country !== null && !isFiller(country)) raw.push(country);
  }
  const countriesRaw = distinct(raw);
  return { countries: countryNames(countriesRaw), countriesRaw };
}

function armFields(protocol: Fields): Pick<RegistrationFields, 'conditions' | 'interventions' | 'primaryEndpoints'> {
  const conditions = textsAt(objectAt(protocol, 'conditionsModule'), 'conditions');
  const interventions: RegistrationFields['interventions'] = [];
  for (const intervention of objectsAt(objectAt(protocol, 'armsInterventionsModule'), 'interventions')) {
    const name = withoutFiller(textAt(intervention, 'name'));
    const description = name === null ? withoutFiller(textAt(intervention, 'description')) : null;
    if (name === null && description === null) continue;
    const otherNames = distinct(textsAt(intervention, 'otherNames').filter((other) => !isFiller(other)));
    interventions.push({ type: textAt(intervention, 'type')?.toLowerCase() ?? null, name, otherNames, description });
  }
  const primaryEndpoints: RegistrationFields['primaryEndpoints'] = [];
  for (const outcome of objectsAt(objectAt(protocol, 'outcomesModule'), 'primaryOutcomes')) {
    const measure = withoutFiller(textAt(outcome, 'measure'));
    if (measure !== null) primaryEndpoints.push({ measure, timeFrame: withoutFiller(textAt(outcome, 'timeFrame')) });
  }
  return { conditions: distinct(conditions.filter((term) => !isFiller(term))), interventions, primaryEndpoints };
}

function dateFields(status: Fields, stated: RecordDates): RegistrationFields['dates'] {
  const dateAt = (field: string, key: string) => {
    const struct = objectAt(status, key);
    return stated.read(field, textAt(struct, 'date'), textAt(struct, 'type'));
  };
  return {
    start: dateAt('startDate', 'startDateStruct'),
    primaryCompletion: dateAt('primaryCompletionDate', 'primaryCompletionDateStruct'),
    completion: dateAt('completionDate', 'completionDateStruct'),
    firstPosted: dateAt('firstPostedDate', 'studyFirstPostDateStruct'),
    lastUpdated: dateAt('lastUpdatedDate', 'lastUpdatePostDateStruct'),
    resultsPosted: dateAt('resultsPostedDate', 'resultsFirstPostDateStruct'),
  };
}

function resultsFields(study: Fields): Pick<RegistrationFields, 'resultsAvailable' | 'resultsBasis'> {
  const stated = flagAt(study, 'hasResults');
  const held = hasKey(study, 'resultsSection');
  if (stated === true) return { resultsAvailable: true, resultsBasis: 'hasResults true' };
  if (held) return { resultsAvailable: true, resultsBasis: 'resultsSection present' };
  const resultsBasis = stated === false ? 'hasResults false' : NO_RESULTS_MEMBER;
  return { resultsAvailable: false, resultsBasis };
}

function publicationsOf(references: Fields, nctId: string): Publication[] {
  return objectsAt(references, 'references').map((reference, index) => {
    const citation = textAt(reference, 'citation');
    const kindRaw = textAt(reference, 'type');
    return {
      registry: REGISTRY,
      registrationId: nctId,
      ordinal: index + 1,
      kind: ctgovReferenceKind(kindRaw),
      kindRaw,
      pmid: numberTextAt(reference, 'pmid'),
      doi: citationDoi(citation),
      url: null,
      citation,
      year: citationYear(citation),
      retracted: objectsAt(reference, 'retractions').length > 0,
    };
  });
}
