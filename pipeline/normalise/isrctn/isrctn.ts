import type { Publication, RegistrationFields, RegistryDate } from '../../../snapshot/format/registration.ts';
import { countryNames } from '../../../snapshot/format/words/countries.ts';
import { isIsrctnCsv } from '../../raw/csv.ts';
import { splitDrugNames } from '../drug-names.ts';
import {
  elementsAt,
  essentialObjectBelow,
  essentialTextAt,
  type Fields,
  numberTextAt,
  objectAt,
  objectOrEmpty,
  objectsAt,
  textAt,
  textsAt,
  XML_TEXT,
} from '../fields.ts';
import { isFiller, statedTitle, withoutFiller } from '../not-stated.ts';
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
import { isrctnPhase, isrctnPublicationKind, isrctnSponsorClass, studyTypeOf } from '../vocabulary.ts';
import { isrctnTrialOfRow } from './csv.ts';
import { isrctnDesign } from './design.ts';
import { inOrder, isrctnDetails, sponsorClassRaw } from './details.ts';
import { deriveIsrctnStatus, isrctnEnrollment, type StatusDate, type StatusInputs, validDays } from './status.ts';
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

function readTrial(payload: Buffer, receivedAt: string, context: NormaliseContext): NormalisedRecord {
  const text = payloadText(payload);
  const document = isIsrctnCsv(text) ? isrctnTrialOfRow(text) : parseIsrctnTrial(text);
  const { trial } = document;
  const ownRaw = essentialTextAt(trial, 'isrctn');
  const id = isrctnId(ownRaw);
  const description = essentialObjectBelow(trial, 'trialDescription');
  const given = ['title', 'scientificTitle'].map((key) => essentialTextAt(description, key, id));
  if (given.every((text) => text === null)) {
    throw new RecordFault('missing-title', 'neither title nor scientificTitle is given', id);
  }
  const [title = null, scientificTitle = null] = given.map((text) => statedTitle(text, id.slice(REGISTRY.length)));

  const stated = new RecordDates();
  const inputs = statusInputs(trial, stated);
  const { list: identifiers, sponsorCodes } = statedIdentifiers(trial, id, ownRaw ?? id);
  const updated = textAt(trial, '@lastUpdated');
  const dates = dateFields(trial, inputs, stated, updated);
  const design = isrctnDesign(trial, stated);
  return {
    ok: true,
    registration: {
      registry: REGISTRY,
      id,
      url: registrationUrl(REGISTRY, id),
      aliases: [],
      payloadSha256: context.payloadSha256 ?? payloadSha256(payload),
      retrievedAt: receivedAt,
      sourceVersion: textAt(trial, '@version'),
      // A record needs a title: its number stands for one that says nothing.
      title: title ?? scientificTitle ?? id,
      officialTitle: scientificTitle,
      acronym: withoutFiller(textAt(description, 'acronym')),
      ...deriveIsrctnStatus(inputs, context.asOf),
      statusRaw:
        inputs.overallStatusOverride ?? inputs.recruitmentStatusOverride ?? inputs.recruitmentStartStatusOverride,
      ...isrctnEnrollment(inputs, numberTextAt(objectAt(trial, 'participants'), 'targetEnrolment'), dates.lastUpdated),
      ...designFields(trial),
      ...sponsorFields(document),
      ...countryFields(trial),
      conditions: conditionsOf(trial),
      interventions: objectsAt(objectAt(trial, 'interventions'), 'intervention').flatMap(interventionsOf),
      primaryEndpoints: endpointsOf(description),
      dates,
      dateNotes: stated.notes,
      ...resultsFields(trial),
      sponsorCodes,
      ...isrctnDetails(document),
      ...design,
      eligibilityText: eligibilityOf(objectAt(trial, 'participants')),
    },
    identifiers,
    publications: publicationsOf(trial, id),
    updated: sortableInstant(updated),
    faults: document.root.faults,
    valid: validDays(inputs, context.asOf),
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
  const design = objectAt(trial, 'trialDesign');
  const participants = objectAt(trial, 'participants');
  const unreadable: StatusInputs['unreadable'] = {};
  const dateAt = (fields: Fields, key: StatusDate, field: string): RegistryDate | null => {
    const text = textAt(fields, key);
    const date = stated.read(field, text);
    if (text !== null && date === null) unreadable[key] = text;
    return date;
  };
  return {
    overallStatusOverride: textAt(design, 'overallStatusOverride'),
    recruitmentStatusOverride: textAt(participants, 'recruitmentStatusOverride'),
    recruitmentStartStatusOverride: textAt(participants, 'recruitmentStartStatusOverride'),
    overallEndDate: dateAt(design, 'overallEndDate', 'completionDate'),
    // Records before 2025 also have an overall start, which is used when there is no recruitment start.
    recruitmentStart:
      dateAt(participants, 'recruitmentStart', 'startDate') ?? dateAt(design, 'overallStartDate', 'startDate'),
    recruitmentEnd: dateAt(participants, 'recruitmentEnd', 'recruitmentEnd'),
    unreadable,
    totalFinalEnrolment: numberTextAt(participants, 'totalFinalEnrolment'),
  };
}

function statedIdentifiers(trial: Fields, id: string, ownRaw: string): StatedIdentifiers {
  const refs = objectAt(trial, 'externalRefs');
  const stated = new StatedIdentifiers(REGISTRY, id, 'isrctn', ownRaw);
  stated.addEudract('eudraCTNumber', textAt(refs, 'eudraCTNumber'));
  stated.add('clinicalTrialsGovNumber', textAt(refs, 'clinicalTrialsGovNumber'));
  stated.addNumeric('iras', 'irasNumber', textAt(refs, 'irasNumber'));
  stated.addCode('protocolSerialNumber', textAt(refs, 'protocolSerialNumber'));
  for (const number of secondaryNumbersOf(refs)) {
    if (number.type === 'iras' || number.type === 'cpms') {
      stated.addNumeric(number.type, 'secondaryNumbers.secondaryNumber', number.value);
    } else if (number.type === 'protocol serial number') {
      stated.addCode('secondaryNumbers.secondaryNumber', number.value);
    } else stated.add('secondaryNumbers.secondaryNumber', number.value, number.type);
  }
  return stated;
}

/** Reads the text and never `canonicalSecondaryNumber`, which appends "-00" to EudraCT numbers. */
function secondaryNumbersOf(refs: Fields): { type: string | null; value: string | null }[] {
  return elementsAt(objectAt(refs, 'secondaryNumbers'), 'secondaryNumber').map((number) => ({
    type: textAt(number, '@numberType')?.toLowerCase() ?? null,
    value: textAt(number, XML_TEXT),
  }));
}

function designFields(trial: Fields): Pick<RegistrationFields, 'phase' | 'phaseRaw' | 'studyType' | 'studyTypeRaw'> {
  const studyTypeRaw = textAt(objectAt(trial, 'trialDesign'), 'primaryStudyDesign');
  const phases: string[] = [];
  for (const intervention of objectsAt(objectAt(trial, 'interventions'), 'intervention')) {
    const phase = textAt(intervention, 'phase');
    if (phase !== null) phases.push(phase);
  }
  return { ...isrctnPhase(phases), studyType: studyTypeOf(studyTypeRaw), studyTypeRaw };
}

/** The first sponsor named in the trial's parties, else the first sponsor element beside the trial. */
function sponsorFields(
  document: IsrctnTrial,
): Pick<RegistrationFields, 'sponsorName' | 'sponsorClass' | 'sponsorClassRaw'> {
  const [sponsor] = inOrder(document.sponsors, textsAt(objectAt(document.trial, 'parties'), 'sponsorId'));
  if (sponsor === undefined) return { sponsorName: null, sponsorClass: 'unknown', sponsorClassRaw: null };
  const classRaw = sponsorClassRaw(sponsor);
  return {
    sponsorName: withoutFiller(textAt(sponsor, 'organisation')),
    sponsorClass: isrctnSponsorClass(classRaw),
    sponsorClassRaw: classRaw,
  };
}

function countryFields(trial: Fields): Pick<RegistrationFields, 'countries' | 'countriesRaw'> {
  const listed = textsAt(objectAt(objectAt(trial, 'participants'), 'recruitmentCountries'), 'country');
  const countriesRaw = distinct(listed.filter((country) => !isFiller(country)));
  return { countries: countryNames(countriesRaw), countriesRaw };
}

const LINE_BREAK = /[\r\n]+/;
const LIST_MARK = /^\s*(?:\(?\d{1,2}[.)](?!\d)|[-*\u2022\u2013\u00b7])\s*/;

/** Each line is a condition: many records number several of them in one element. */
function conditionsOf(trial: Fields): string[] {
  const conditions: string[] = [];
  for (const condition of objectsAt(objectAt(trial, 'conditions'), 'condition')) {
    for (const line of (textAt(condition, 'description') ?? '').split(LINE_BREAK)) {
      const term = withoutFiller(line.replace(LIST_MARK, '').trim());
      if (term !== null && term !== '') conditions.push(term);
    }
  }
  return distinct(conditions);
}

function interventionsOf(intervention: Fields): RegistrationFields['interventions'] {
  const type = withoutFiller(textAt(intervention, 'interventionType'))?.toLowerCase() ?? null;
  const names = splitDrugNames(textAt(intervention, 'drugNames'));
  if (names.length > 0) return names.map((name) => ({ type, name, otherNames: [], description: null }));
  const description = withoutFiller(textAt(intervention, 'description'));
  return description === null && type === null ? [] : [{ type, name: null, otherNames: [], description }];
}

function endpointsOf(description: Fields): RegistrationFields['primaryEndpoints'] {
  const structured: RegistrationFields['primaryEndpoints'] = [];
  for (const outcome of objectsAt(objectAt(description, 'primaryOutcomes'), 'outcomeMeasure')) {
    const measure = withoutFiller(textAt(outcome, 'variable')) ?? withoutFiller(textAt(outcome, 'method'));
    if (measure !== null) structured.push({ measure, timeFrame: withoutFiller(textAt(outcome, 'timepoints')) });
  }
  if (structured.length > 0) return structured;
  const prose = withoutFiller(textAt(description, 'primaryOutcome'));
  return prose === null ? [] : [{ measure: prose, timeFrame: null }];
}

function dateFields(
  trial: Fields,
  inputs: StatusInputs,
  stated: RecordDates,
  updated: string | null,
): RegistrationFields['dates'] {
  const assigned =
    textAt(objectOrEmpty(trial, 'isrctn'), '@dateAssigned') ?? textAt(trial, '@publicIdentifierDateAssigned');
  return {
    start: inputs.recruitmentStart,
    primaryCompletion: null,
    completion: inputs.overallEndDate,
    firstPosted: stated.read('firstPostedDate', assigned),
    lastUpdated: stated.read('lastUpdatedDate', updated),
    resultsPosted: null,
  };
}

/** Only a summary file that the registry itself holds counts, not a link to an article or another registry. */
function resultsFields(trial: Fields): Pick<RegistrationFields, 'resultsAvailable' | 'resultsBasis'> {
  const outputs = objectsAt(objectAt(trial, 'outputs'), 'output');
  const summary = outputs.some(
    (output) =>
      textAt(output, '@outputType')?.toLowerCase().replace(/\s+/g, '') === 'basicresults' &&
      objectAt(output, 'localFile').value !== null,
  );
  if (summary) return { resultsAvailable: true, resultsBasis: 'outputs: basicresults with a file at the registry' };
  const report = textAt(objectAt(trial, 'results'), 'basicReport');
  if (report !== null && /\battached file\b/i.test(report)) {
    return { resultsAvailable: true, resultsBasis: 'basicReport names an attached file' };
  }
  return { resultsAvailable: false, resultsBasis: 'no basic results summary held by the registry' };
}

function eligibilityOf(participants: Fields): string | null {
  const inclusion = withoutFiller(textAt(participants, 'inclusion'));
  const exclusion = withoutFiller(textAt(participants, 'exclusion'));
  const parts: string[] = [];
  if (inclusion !== null) parts.push(`Inclusion criteria:\n\n${inclusion}`);
  if (exclusion !== null) parts.push(`Exclusion criteria:\n\n${exclusion}`);
  return parts.length === 0 ? null : parts.join('\n\n');
}

/** Entries of publicationDetails, then of the basic report, then outputs; each address is listed once. */
function publicationsOf(trial: Fields, id: string): Publication[] {
  const results = objectAt(trial, 'results');
  const lines = [
    ...readPublicationDetails(withoutFiller(textAt(results, 'publicationDetails'))),
    ...basicReportLines(textAt(results, 'basicReport')),
    ...objectsAt(objectAt(trial, 'outputs'), 'output').flatMap(outputLines),
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
      kind: isrctnPublicationKind(kindRaw),
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
  if (report === null || isFiller(report)) return [];
  return report
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => ({ kindRaw: 'Basic results', url: webAddressIn(line), citation: line.trim(), year: null }));
}

/** Participant information sheets are for patients, not publications. */
function outputLines(output: Fields): PublicationLine[] {
  const kindRaw = textAt(output, '@outputType');
  if (kindRaw?.toLowerCase() === 'pis') return [];
  const link = objectOrEmpty(output, 'externalLink');
  const url = webAddressIn(textAt(link, '@url') ?? '');
  const file = textAt(objectAt(output, 'localFile'), '@originalFilename');
  const citation = withoutFiller(textAt(output, 'description')) ?? file;
  if (url === null && file === null) return [];
  const created = readDate(textAt(output, '@dateCreated'));
  return [{ kindRaw, url, citation, year: created === null ? null : Number(created.date.slice(0, 4)) }];
}
