import type { Publication, RegistrationFields, RegistryDate } from '../../../snapshot/format/registration.ts';
import { isIsrctnCsv } from '../../raw/csv.ts';
import { allocationOf, plainWord, publicationKindOf, sponsorClassOf } from '../concepts.ts';
import { enrollmentOf } from '../enrollment.ts';
import { type Fields, XML_TEXT } from '../fields.ts';
import { isFiller, statedTitle } from '../not-stated.ts';
import { organisationOf, plainDates, sponsorClassRaw, withPlainFields } from '../plain-fields.ts';
import { withoutContactSection } from '../prose.ts';
import { type PublicationLine, publicationIds, readPublicationDetails, webAddressIn } from '../publications.ts';
import {
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
import { distinct, RecordDates, readDate, sortableInstant } from '../values.ts';
import { isrctnTrialOfRow } from './csv.ts';
import { deriveIsrctnStatus, type StatusDate, type StatusInputs, saysEnded, validDays } from './status.ts';
import { type IsrctnTrial, parseIsrctnTrial } from './xml.ts';

const REGISTRY = 'isrctn';

/**
 * Reads one ISRCTN trial (`fullTrial` or `trial` element, in the form of 2022, 2024 or 2026). The 8 digits of `isrctn`
 * and a title (`title`, else `scientificTitle`) are essential: a wrong type there rejects the record. Any other field of
 * a wrong type reads as null and is named in `faults`. Where both titles only fill their fields, the record's number
 * stands for them. The status is derived at `context.asOf`.
 */
export function normaliseIsrctn(
  payload: Buffer,
  receivedAt: string,
  context: NormaliseContext,
): NormalisedRecord | RejectedRecord {
  return readingRecord(payload, () => readTrial(payload, receivedAt, context));
}

/** The fields with a rule; contract/fields has the path of every other one. Contacts are not read. */
function readTrial(payload: Buffer, receivedAt: string, context: NormaliseContext): NormalisedRecord {
  const text = payloadText(payload);
  const document = isIsrctnCsv(text) ? isrctnTrialOfRow(text) : parseIsrctnTrial(text);
  const { trial } = document;
  const ownRaw = trial.essential('isrctn');
  const id = isrctnId(ownRaw);
  const given = ['title', 'scientificTitle'].map((key) => trial.essential(`trialDescription.${key}`, id));
  if (given.every((title) => title === null)) {
    throw new RecordFault('missing-title', 'neither title nor scientificTitle is given', id);
  }
  const [title = null, officialTitle = null] = given.map((title) => statedTitle(title, id.slice(REGISTRY.length)));

  const stated = new RecordDates();
  const inputs = statusInputs(trial, stated);
  const { list: identifiers, sponsorCodes } = statedIdentifiers(trial, id, ownRaw ?? id);
  const dates = plainDates(trial, stated, { start: inputs.recruitmentStart, completion: inputs.overallEndDate });
  const summary = trial.stated('trialDescription.plainEnglishSummary');
  const rules = {
    // A record needs a title: its number stands for one that says nothing.
    title: title ?? officialTitle ?? id,
    officialTitle,
    ...deriveIsrctnStatus(inputs, context.asOf),
    statusRaw:
      inputs.overallStatusOverride ?? inputs.recruitmentStatusOverride ?? inputs.recruitmentStartStatusOverride,
    ...enrollmentOf(trial, saysEnded(inputs, dates.lastUpdated)),
    ...sponsorFields(document),
    funders: inOrder(document.funders, trial.texts('parties.funderId[]')).flatMap(organisationOf),
    conditions: conditionsOf(trial),
    dates,
    documents: documentsOf(trial, stated),
    dateNotes: stated.notes,
    ...resultsFields(trial),
    sponsorCodes,
    briefSummary: summary === null ? null : withoutContactSection(summary),
    ...designFields(trial.object('trialDesign')),
    healthyVolunteers: healthyVolunteersOf(trial.object('participants')),
    secondaryIds: secondaryIdsOf(trial),
    eligibilityText: eligibilityOf(trial),
  } satisfies Partial<RegistrationFields>;
  const updated = trial.text('@lastUpdated');
  return {
    ok: true,
    registration: {
      registry: REGISTRY,
      id,
      url: registrationUrl(REGISTRY, id),
      aliases: [],
      payloadSha256: context.payloadSha256 ?? payloadSha256(payload),
      retrievedAt: receivedAt,
      sourceVersion: trial.text('@version'),
      ...withPlainFields(trial, rules),
    },
    identifiers,
    publications: publicationsOf(trial, id),
    updated: sortableInstant(updated),
    valid: validDays(inputs, context.asOf),
    faults: trial.faults,
  };
}

/** The element holds 8 digits; older exports repeat the prefix. */
function isrctnId(raw: string | null): string {
  if (raw === null) throw new RecordFault('missing-id', 'trial.isrctn is missing');
  const digits = /^(?:ISRCTN)?(\d{8})$/.exec(raw)?.[1];
  if (digits === undefined) throw new RecordFault('bad-id', `isrctn ${raw.slice(0, 60)} is not 8 digits`);
  return `ISRCTN${digits}`;
}

function statusInputs(trial: Fields, stated: RecordDates): StatusInputs {
  const unreadable: StatusInputs['unreadable'] = {};
  const dateAt = (module: string, key: StatusDate, field: string): RegistryDate | null => {
    const text = trial.text(`${module}.${key}`);
    const date = stated.read(field, text);
    if (text !== null && date === null) unreadable[key] = text;
    return date;
  };
  return {
    overallStatusOverride: trial.text('trialDesign.overallStatusOverride'),
    recruitmentStatusOverride: trial.text('participants.recruitmentStatusOverride'),
    recruitmentStartStatusOverride: trial.text('participants.recruitmentStartStatusOverride'),
    overallEndDate: dateAt('trialDesign', 'overallEndDate', 'completionDate'),
    // Records before 2025 also have an overall start, which is used when there is no recruitment start.
    recruitmentStart:
      dateAt('participants', 'recruitmentStart', 'startDate') ?? dateAt('trialDesign', 'overallStartDate', 'startDate'),
    recruitmentEnd: dateAt('participants', 'recruitmentEnd', 'recruitmentEnd'),
    unreadable,
    totalFinalEnrolment: trial.numberText('participants.totalFinalEnrolment'),
  };
}

/** Reads the text and never `canonicalSecondaryNumber`, which appends "-00" to EudraCT numbers. */
function secondaryNumbersOf(trial: Fields): { type: string | null; number: Fields }[] {
  return trial.elements('externalRefs.secondaryNumbers.secondaryNumber[]').map((number) => {
    return { type: number.text('@numberType'), number };
  });
}

function statedIdentifiers(trial: Fields, id: string, ownRaw: string): StatedIdentifiers {
  const stated = new StatedIdentifiers(REGISTRY, id, 'isrctn', ownRaw);
  const field = 'secondaryNumbers.secondaryNumber';
  stated.addEudract('eudraCTNumber', trial.text('externalRefs.eudraCTNumber'));
  stated.add('clinicalTrialsGovNumber', trial.text('externalRefs.clinicalTrialsGovNumber'));
  stated.addNumeric('iras', 'irasNumber', trial.text('externalRefs.irasNumber'));
  stated.addCode('protocolSerialNumber', trial.text('externalRefs.protocolSerialNumber'));
  for (const { type, number } of secondaryNumbersOf(trial)) {
    const [kind, value] = [type?.toLowerCase() ?? null, number.text(XML_TEXT)];
    if (kind === 'iras' || kind === 'cpms') stated.addNumeric(kind, field, value);
    else if (kind === 'protocol serial number') stated.addCode(field, value);
    else stated.add(field, value, kind);
  }
  return stated;
}

/** The typed elements of externalRefs beside the DOI, which holds the record's own number. */
const NUMBER_FIELDS = ['eudraCTNumber', 'irasNumber', 'clinicalTrialsGovNumber', 'protocolSerialNumber'];

function secondaryIdsOf(trial: Fields): RegistrationFields['secondaryIds'] {
  const typed = NUMBER_FIELDS.map((field) => ({ id: trial.prose(`externalRefs.${field}`), type: null, field }));
  const listed = secondaryNumbersOf(trial).map(({ type, number }) => {
    return { id: number.prose(XML_TEXT), type, field: 'secondaryNumbers' };
  });
  return [...typed, ...listed].flatMap(({ id, type, field }) =>
    id === null ? [] : [{ id, type, domain: null, link: null, field }],
  );
}

/** Organisations in the order in which the trial names their ids, then those that it does not name. */
function inOrder(given: readonly Fields[], ids: readonly string[]): Fields[] {
  const placeOf = (one: Fields): number => {
    const place = ids.indexOf(one.text('@id') ?? '');
    return place < 0 ? ids.length : place;
  };
  return given.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The lead sponsor is the first one named in the trial's parties, else the first sponsor element beside the trial. */
function sponsorFields(
  document: IsrctnTrial,
): Pick<RegistrationFields, 'sponsors' | 'sponsorName' | 'sponsorClass' | 'sponsorClassRaw'> {
  const sponsors = inOrder(document.sponsors, document.trial.texts('parties.sponsorId[]'));
  const [lead] = sponsors;
  const classRaw = lead === undefined ? null : sponsorClassRaw(lead);
  return {
    sponsors: sponsors.flatMap(organisationOf),
    sponsorName: lead?.stated('organisation') ?? null,
    sponsorClass: sponsorClassOf(classRaw),
    sponsorClassRaw: classRaw,
  };
}

const LINE_BREAK = /[\r\n]+/;
const LIST_MARK = /^\s*(?:\(?\d{1,2}[.)](?!\d)|[-*\u2022\u2013\u00b7])\s*/;

/** Each line is a condition: many records number several of them in one element. */
function conditionsOf(trial: Fields): string[] {
  const lines = trial.texts('conditions.condition[].description').flatMap((text) => text.split(LINE_BREAK));
  return distinct(
    lines.map((line) => line.replace(LIST_MARK, '').trim()).filter((term) => term !== '' && !isFiller(term)),
  );
}

const DESIGN_NOUN = / study$/;

/** Older records name allocation and observational model in one text. */
function designFields(design: Fields): Pick<RegistrationFields, 'allocation' | 'allocationRaw' | 'observationalModel'> {
  const secondary = design.stated('secondaryStudyDesign');
  const says = secondary !== null && /\brandomi[sz]ed\b/i.test(secondary);
  const allocationRaw = design.text('interventionalTrialDesign.allocation') ?? (says ? secondary : null);
  const isObservational = design.text('primaryStudyDesign')?.toLowerCase() === 'observational';
  return {
    allocation: allocationOf(allocationRaw),
    allocationRaw,
    observationalModel: isObservational && secondary !== null ? plainWord(secondary).replace(DESIGN_NOUN, '') : null,
  };
}

/** Older records list the types of participants only; that one is not listed does not say that it is excluded. */
function healthyVolunteersOf(participants: Fields): boolean | null {
  const allowed = participants.text('healthyVolunteersAllowed')?.toLowerCase();
  if (allowed === 'true' || allowed === 'false') return allowed === 'true';
  const types = [...participants.texts('participantTypes.participantType[]'), ...participants.texts('participantType')];
  return types.some((type) => /\bhealthy volunteers?\b/i.test(type)) ? true : null;
}

/** Sheets for patients are no publications; every other address of an output is among the publications. */
const PATIENT_SHEET = 'pis';

function documentsOf(trial: Fields, stated: RecordDates): RegistrationFields['documents'] {
  const attached = trial
    .objects('attachedFiles.attachedFile[]')
    .filter((file) => file.text('public')?.toLowerCase() !== 'false');
  const addresses = new Map(attached.map((file) => [file.text('id'), file.text('@downloadUrl')]));
  const named = new Set<string | null>();
  const documents: RegistrationFields['documents'] = [];
  for (const output of trial.objects('outputs.output[]')) {
    const file = output.object('localFile');
    const fileId = file.text('@fileId');
    const type = output.text('@outputType');
    const page = webAddressIn(output.text('externalLink@url') ?? '');
    const isSheet = type?.toLowerCase() === PATIENT_SHEET && page !== null;
    if (file.value === null && !isSheet) continue;
    named.add(fileId);
    const date =
      stated.read('documents', output.text('@dateCreated')) ?? stated.read('documents', output.text('@dateUploaded'));
    documents.push({
      type,
      label: output.prose('description') ?? file.text('@originalFilename'),
      date: date?.date ?? null,
      url: addresses.get(fileId) ?? page,
    });
  }
  for (const file of attached) {
    if (named.has(file.text('id'))) continue;
    const label = file.prose('description') ?? file.text('name');
    documents.push({ type: null, label, date: null, url: file.text('@downloadUrl') });
  }
  return documents;
}

/** Only a summary file that the registry itself holds counts, not a link to an article or another registry. */
function resultsFields(trial: Fields): Pick<RegistrationFields, 'resultsAvailable' | 'resultsBasis'> {
  const summary = trial
    .objects('outputs.output[]')
    .some(
      (output) =>
        output.text('@outputType')?.toLowerCase().replace(/\s+/g, '') === 'basicresults' &&
        output.object('localFile').value !== null,
    );
  if (summary) return { resultsAvailable: true, resultsBasis: 'outputs: basicresults with a file at the registry' };
  const report = trial.text('results.basicReport');
  if (report !== null && /\battached file\b/i.test(report)) {
    return { resultsAvailable: true, resultsBasis: 'basicReport names an attached file' };
  }
  return { resultsAvailable: false, resultsBasis: 'no basic results summary held by the registry' };
}

function eligibilityOf(trial: Fields): string | null {
  const parts = ['Inclusion', 'Exclusion'].flatMap((kind) => {
    const criteria = trial.stated(`participants.${kind.toLowerCase()}`);
    return criteria === null ? [] : [`${kind} criteria:\n\n${criteria}`];
  });
  return parts.length === 0 ? null : parts.join('\n\n');
}

/** Entries of publicationDetails, then of the basic report, then outputs; each address is listed once. */
function publicationsOf(trial: Fields, id: string): Publication[] {
  const lines = [
    ...readPublicationDetails(trial.stated('results.publicationDetails')),
    ...basicReportLines(trial.stated('results.basicReport')),
    ...trial.objects('outputs.output[]').flatMap(outputLines),
  ];
  const publications: Publication[] = [];
  const seen = new Set<string>();
  for (const { kindRaw, url, citation, year } of lines) {
    const key = url === null ? null : url.toLowerCase().replace(/^https?:\/\/(?:www\.)?|\/$/g, '');
    if (key !== null && seen.has(key)) continue;
    if (key !== null) seen.add(key);
    publications.push({
      registry: REGISTRY,
      registrationId: id,
      ordinal: publications.length + 1,
      kind: publicationKindOf(kindRaw),
      kindRaw,
      ...(url === null ? { pmid: null, doi: null } : publicationIds(url)),
      url,
      citation,
      year,
      retracted: false,
    });
  }
  return publications;
}

function basicReportLines(report: string | null): PublicationLine[] {
  const lines = report?.split(/\r?\n/).filter((line) => line.trim() !== '') ?? [];
  return lines.map((line) => {
    return { kindRaw: 'Basic results', url: webAddressIn(line), citation: line.trim(), year: null };
  });
}

/** Participant information sheets are for patients, not publications. */
function outputLines(output: Fields): PublicationLine[] {
  const kindRaw = output.text('@outputType');
  if (kindRaw?.toLowerCase() === PATIENT_SHEET) return [];
  const url = webAddressIn(output.text('externalLink@url') ?? '');
  const file = output.text('localFile@originalFilename');
  if (url === null && file === null) return [];
  const created = readDate(output.text('@dateCreated'));
  const year = created === null ? null : Number(created.date.slice(0, 4));
  return [{ kindRaw, url, citation: output.stated('description') ?? file, year }];
}
