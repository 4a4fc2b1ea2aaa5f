import { completedYears, people, type RawRecord, span } from './record.ts';

const patterns = new Map<string, RegExp>();

/** Stands where the CSV export, which has no conditions, was put into the form of the XML. */
const NO_CONDITION = 'Not in the export';

/** Insides of the elements of this name, also where they have attributes; none of an element that closes itself. */
function insides(xml: string, name: string): string[] {
  const pattern = patterns.get(name) ?? new RegExp(`<${name}(?:\\s[^>]*)?(?<!/)>([\\s\\S]*?)</${name}>`, 'g');
  patterns.set(name, pattern);
  return [...xml.matchAll(pattern)].map(([, inside]) => inside!);
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name]!).trim();

/** Words that only fill a field. */
const FILLER = /^(?:-|n\/a|none|nil known|not (?:specified|provided at time of registration))$/i;

const textsIn = (xml: string, name: string): string[] =>
  insides(xml, name)
    .map(plain)
    .filter((text) => text !== '' && !FILLER.test(text));

function textIn(xml: string, name: string): string {
  return textsIn(xml, name)[0] ?? '';
}

const attribute = (xml: string, element: string, name: string): string | undefined =>
  new RegExp(`<${element}\\s[^>]*\\b${name}="([^"]*)"`).exec(xml)?.[1];

/** A summary of results that lies at the registry itself. */
const SUMMARY_FILE = /<output\s[^>]*outputType="basic ?results"[^>]*>(?:(?!<\/output>)[\s\S])*<localFile/i;

/** One `fullTrial` of ISRCTN; its status is what its page would show on this day. */
export function readTrial(xml: string, day: string): RawRecord {
  if (/<!/.test(xml)) throw new Error('comments and CDATA are not read');
  const part = (name: string): string => insides(xml, name)[0] ?? '';
  const [description, design, participants] = ['trialDescription', 'trialDesign', 'participants'].map(part) as [
    string,
    string,
    string,
  ];
  const interventions = insides(part('interventions'), 'intervention');
  const status = statusOn(day, design, participants);
  const lead = new RegExp(`<sponsor id="${textIn(xml, 'sponsorId')}">[\\s\\S]*?</sponsor>`).exec(xml)?.[0] ?? '';
  const final = people(textIn(participants, 'totalFinalEnrolment'));
  const isFinal = final !== null && (final > 0 || /Completed|Stopped/.test(status.overall));
  return {
    registry: 'isrctn',
    id: `ISRCTN${textIn(xml, 'isrctn')}`,
    title: textIn(description, 'title'),
    officialTitle: textIn(description, 'scientificTitle'),
    acronym: textIn(description, 'acronym'),
    conditions: insides(part('conditions'), 'condition').flatMap((condition) =>
      textIn(condition, 'description')
        .split(/[\r\n]+/)
        .map((line) => line.replace(/^\s*\d+[.)]\s*/, '').trim())
        .filter((line) => line !== NO_CONDITION),
    ),
    interventions: interventions.map((one) => textIn(one, 'drugNames') || textIn(one, 'description')),
    sponsor: {
      name: textIn(lead, 'organisation'),
      kind: textIn(lead, 'sponsorType') || textIn(lead, 'commercialStatus'),
    },
    organisations: [
      ...insides(xml, 'sponsor').flatMap((one) => textsIn(one, 'organisation')),
      ...insides(xml, 'funder').flatMap((one) => textsIn(one, 'name')),
    ],
    status,
    phases: [...new Set(interventions.flatMap((one) => textsIn(one, 'phase')))],
    studyType: textIn(design, 'primaryStudyDesign'),
    countries: textsIn(insides(participants, 'recruitmentCountries')[0] ?? '', 'country'),
    sites: insides(participants, 'trialCentre').map((centre) => ({
      city: textIn(centre, 'city'),
      country: textIn(centre, 'country'),
      status: '',
    })),
    keywords: [],
    hasResults: /\battached file\b/i.test(textIn(xml, 'basicReport')) || SUMMARY_FILE.test(xml),
    dates: {
      start: span(textIn(participants, 'recruitmentStart') || textIn(design, 'overallStartDate')),
      primaryCompletion: null,
      completion: span(textIn(design, 'overallEndDate')),
      firstPosted: span(
        attribute(xml, 'isrctn', 'dateAssigned') ?? attribute(xml, 'trial', 'publicIdentifierDateAssigned'),
      ),
      updated: span(attribute(xml, 'trial', 'lastUpdated')),
      resultsPosted: null,
    },
    enrollment: isFinal ? final : people(textIn(participants, 'targetEnrolment')),
    sex: textIn(participants, 'gender'),
    ages: {
      from: completedYears(textIn(participants, 'lowerAgeLimit')),
      to: completedYears(textIn(participants, 'upperAgeLimit')),
    },
  };
}

/** An override, else the dates against the day; the last day of a span is still within it. */
function statusOn(day: string, design: string, participants: string): RawRecord['status'] {
  const end = textIn(design, 'overallEndDate').slice(0, 10);
  const start =
    textIn(participants, 'recruitmentStart').slice(0, 10) || textIn(design, 'overallStartDate').slice(0, 10);
  const until = textIn(participants, 'recruitmentEnd').slice(0, 10);
  const byDates = end === '' ? '' : end < day ? 'Completed' : 'Ongoing';
  const recruiting =
    start > day ? 'Not yet recruiting' : until !== '' && until < day ? 'No longer recruiting' : 'Recruiting';
  return {
    overall: textIn(design, 'overallStatusOverride') || byDates,
    recruitment:
      textIn(participants, 'recruitmentStatusOverride') ||
      textIn(participants, 'recruitmentStartStatusOverride') ||
      (start === '' ? '' : recruiting),
  };
}

/** The first NCT number that the record states as its own. */
export function partnerOf(xml: string): string {
  return /NCT\d{8}/.exec(textIn(xml, 'clinicalTrialsGovNumber'))?.[0] ?? '';
}
