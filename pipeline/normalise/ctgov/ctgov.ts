import { NO_RESULTS_MEMBER } from '../../../snapshot/format/field-comparison.ts';
import type {
  Publication,
  RecruitmentStatus,
  RegistrationFields,
  TrialStatus,
} from '../../../snapshot/format/registration.ts';
import { MAX_NESTING } from '../../raw/slice.ts';
import { publicationKindOf } from '../concepts.ts';
import { enrollmentOf } from '../enrollment.ts';
import { Fields } from '../fields.ts';
import { plainDates, withPlainFields } from '../plain-fields.ts';
import { withoutContacts, withoutEscapes } from '../prose.ts';
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
import { RecordDates, sortableInstant } from '../values.ts';

const REGISTRY = 'clinicaltrials_gov';
const NCT_ID = /^NCT\d{8}$/;
const IDENTIFICATION = 'protocolSection.identificationModule';
const STATUS = 'protocolSection.statusModule';

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

/** The fields with a rule; contract/fields has the path of every other one. Contacts and officials are not read. */
function readStudy(payload: Buffer, receivedAt: string, context: NormaliseContext): NormalisedRecord {
  const study = Fields.root(REGISTRY, parseJson(payload));
  const nctId = study.essential(`${IDENTIFICATION}.nctId`);
  if (nctId === null) throw new RecordFault('missing-id', `${IDENTIFICATION}.nctId is missing`);
  if (!NCT_ID.test(nctId)) throw new RecordFault('bad-id', `nctId ${nctId.slice(0, 60)} is not NCT and 8 digits`);
  const officialTitle = study.essential(`${IDENTIFICATION}.officialTitle`, nctId);
  const title = study.essential(`${IDENTIFICATION}.briefTitle`, nctId) ?? officialTitle;
  if (title === null) throw new RecordFault('missing-title', 'neither briefTitle nor officialTitle is given', nctId);

  const { list: identifiers, sponsorCodes } = statedIdentifiers(study.object(IDENTIFICATION), nctId);
  const stated = new RecordDates();
  const dates = plainDates(study, stated);
  const eligibility = study.layout('protocolSection.eligibilityModule.eligibilityCriteria');
  const rules = {
    title,
    officialTitle,
    ...statusFields(study),
    ...enrollmentOf(study),
    dates,
    documents: documentsOf(study, nctId, stated),
    dateNotes: stated.notes,
    ...resultsFields(study),
    sponsorCodes,
    secondaryIds: secondaryIdsOf(study.object(IDENTIFICATION)),
    // Its line breaks and blanks make lists, so they stay.
    eligibilityText: eligibility === null ? null : withoutEscapes(eligibility),
  } satisfies Partial<RegistrationFields>;
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
      ...withPlainFields(study, rules),
    },
    identifiers,
    publications: publicationsOf(study, nctId),
    valid: EVERY_DAY,
    updated: sortableInstant(study.text(`${STATUS}.lastUpdatePostDateStruct.date`)),
    faults: study.faults,
  };
}

function parseJson(payload: Buffer): unknown {
  const text = payloadText(payload);
  assertShallow(payload);
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
  for (const alias of identification.texts('nctIdAliases[]')) stated.addAlias('nctIdAliases', alias);
  stated.addCode('orgStudyIdInfo.id', identification.text('orgStudyIdInfo.id'));
  for (const info of identification.objects('secondaryIdInfos[]')) {
    const [id, type, domain] = [info.text('id'), info.text('type'), info.text('domain')];
    if (type === 'EUDRACT_NUMBER') stated.addEudract('secondaryIdInfos.id', id, domain);
    else if (domain !== null && IRAS_DOMAIN.test(domain)) stated.addNumeric('iras', 'secondaryIdInfos.id', id, domain);
    else if (CODE_TYPES.includes(type) && !AUTHORITY.test(domain ?? '')) {
      stated.addCode('secondaryIdInfos.id', id, type, domain);
    } else stated.add('secondaryIdInfos.id', id, type, domain);
  }
  return stated;
}

/** Each status of the registry, in lower case the finer status here. */
const STATUSES: ReadonlyMap<string, TrialStatus> = new Map<RecruitmentStatus, TrialStatus>([
  ['not_yet_recruiting', 'running'],
  ['recruiting', 'running'],
  ['enrolling_by_invitation', 'running'],
  ['active_not_recruiting', 'running'],
  ['completed', 'completed'],
  ['terminated', 'terminated'],
  ['withdrawn', 'withdrawn'],
  ['suspended', 'suspended'],
  ['available', 'expanded_access'],
  ['no_longer_available', 'expanded_access'],
  ['temporarily_not_available', 'expanded_access'],
  ['approved_for_marketing', 'expanded_access'],
  ['withheld', 'unknown'],
  ['unknown', 'unknown'],
]);

function statusFields(study: Fields): Pick<RegistrationFields, 'status' | 'recruitmentStatus' | 'statusBasis'> {
  const raw = study.text(`${STATUS}.overallStatus`);
  const recruitmentStatus = raw?.toLowerCase() ?? '';
  const status = STATUSES.get(recruitmentStatus);
  if (raw === null || status === undefined) {
    const why = raw === null ? 'is missing' : `${raw} is not a status of this registry's vocabulary`;
    return { status: 'unknown', recruitmentStatus: 'unknown', statusBasis: `overallStatus ${why}` };
  }
  const lastKnown = raw === 'UNKNOWN' ? study.text(`${STATUS}.lastKnownStatus`) : null;
  const statusBasis = lastKnown === null ? 'overallStatus' : `overallStatus UNKNOWN; lastKnownStatus ${lastKnown}`;
  return { status, recruitmentStatus: recruitmentStatus as RecruitmentStatus, statusBasis };
}

function resultsFields(study: Fields): Pick<RegistrationFields, 'resultsAvailable' | 'resultsBasis'> {
  const stated = study.flag('hasResults');
  if (stated === true) return { resultsAvailable: true, resultsBasis: 'hasResults true' };
  if (study.has('resultsSection')) return { resultsAvailable: true, resultsBasis: 'resultsSection present' };
  return { resultsAvailable: false, resultsBasis: stated === false ? 'hasResults false' : NO_RESULTS_MEMBER };
}

/** The registry holds its files in folders by the last two digits of the number. */
function documentsOf(study: Fields, nctId: string, stated: RecordDates): RegistrationFields['documents'] {
  return study.objects('documentSection.largeDocumentModule.largeDocs[]').map((document) => {
    const filename = document.text('filename');
    const folder = `https://cdn.clinicaltrials.gov/large-docs/${nctId.slice(-2)}/${nctId}`;
    const date =
      stated.read('documents', document.text('date')) ?? stated.read('documents', document.text('uploadDate'));
    return {
      type: document.text('typeAbbrev'),
      label: document.prose('label'),
      date: date?.date ?? null,
      url: filename === null ? null : `${folder}/${encodeURIComponent(filename)}`,
    };
  });
}

function secondaryIdsOf(identification: Fields): RegistrationFields['secondaryIds'] {
  return ['orgStudyIdInfo', 'secondaryIdInfos[]'].flatMap((path) =>
    identification.objects(path).flatMap((info) => {
      const [id, domain] = [info.stated('id'), info.text('domain')];
      if (id === null) return [];
      return {
        id: withoutContacts(id),
        type: info.text('type'),
        domain: domain === null ? null : withoutContacts(domain),
        link: info.text('link'),
        field: path.replace('[]', ''),
      };
    }),
  );
}

function publicationsOf(study: Fields, nctId: string): Publication[] {
  return study.objects('protocolSection.referencesModule.references[]').map((reference, index) => {
    const [citation, kindRaw] = [reference.text('citation'), reference.text('type')];
    return {
      registry: REGISTRY,
      registrationId: nctId,
      ordinal: index + 1,
      kind: publicationKindOf(kindRaw),
      kindRaw,
      pmid: reference.numberText('pmid'),
      doi: citationDoi(citation),
      url: null,
      citation,
      year: citationYear(citation),
      retracted: reference.objects('retractions[]').length > 0,
    };
  });
}
