import { z } from 'zod';
import type { TrialRecord } from '../contract/schemas/trials/trial.ts';
import { type KeyedReads, payloadText, type RawPayload, type ReadSnapshot } from './store/keyed-store.ts';

type Registration = TrialRecord['registrations'][number];

/**
 * What the form of a held record cannot say. A registry gives its records out in forms with fewer fields: ISRCTN as rows of
 * a CSV export or as XML of an earlier schema, ClinicalTrials.gov as studies that were asked for with some of their fields only. A field that
 * such a form lacks is unknown here; the registry did not leave it blank.
 */
export interface RecordForm {
  /** Whether the form has this field, named as a comparison names it. */
  holds: (field: string) => boolean;
  /** The form in words, where it lacks fields that other forms have. */
  lacking: string | null;
}

const WHOLE: RecordForm = { holds: () => true, lacking: null };

/** Fields that a row of ISRCTN's CSV export can state. */
export const CSV_FIELDS: readonly string[] = [
  ...['status', 'recruitmentStatus', 'dates.start', 'dates.completion', 'dates.lastUpdated'],
  ...['resultsAvailable', 'secondaryIds'],
];

/**
 * XML elements and attributes (with =) that the registry's current schema always writes, blank or not, by the field that is
 * read from them. A record without any of them has a form that lacks the field. Fields that are not named here have an
 * element in every form, or one that is only written where it is stated.
 */
const XML_SOURCES: Record<string, readonly string[]> = {
  acronym: ['acronym'],
  officialTitle: ['scientificTitle'],
  briefSummary: ['plainEnglishSummary'],
  phase: ['interventions'],
  interventions: ['interventions'],
  interventionDescriptions: ['interventions'],
  studyType: ['primaryStudyDesign'],
  sponsor: ['sponsor'],
  'sponsor.class': ['sponsor'],
  sponsors: ['sponsor'],
  funders: ['funder'],
  enrollment: ['targetEnrolment', 'totalFinalEnrolment'],
  'enrollment.type': ['targetEnrolment', 'totalFinalEnrolment'],
  countries: ['recruitmentCountries'],
  conditions: ['conditions'],
  primaryEndpoints: ['primaryOutcome', 'primaryOutcomes'],
  primaryOutcomes: ['primaryOutcome', 'primaryOutcomes'],
  secondaryOutcomes: ['secondaryOutcome', 'secondaryOutcomes'],
  'dates.start': ['recruitmentStart', 'overallStartDate'],
  'dates.completion': ['overallEndDate'],
  'dates.firstPosted': ['dateAssigned=', 'publicIdentifierDateAssigned='],
  'dates.lastUpdated': ['lastUpdated='],
  // The current schema writes some elements only where they are stated; primaryOutcomes tells it from earlier ones.
  'design.masking': ['interventionalTrialDesign', 'primaryOutcomes'],
  'design.interventionModel': ['interventionalTrialDesign', 'primaryOutcomes'],
  'design.purposes': ['interventionalTrialDesign', 'trialTypes', 'trialType'],
  'design.prose': ['studyDesign'],
  'eligibility.sex': ['gender'],
  'eligibility.minimumAge': ['lowerAgeLimit', 'upperAgeLimit', 'primaryOutcomes'],
  'eligibility.maximumAge': ['lowerAgeLimit', 'upperAgeLimit', 'primaryOutcomes'],
  'eligibility.healthyVolunteers': ['healthyVolunteersAllowed', 'participantTypes', 'participantType'],
  sites: ['trialCentres'],
  'ipdSharing.plan': ['ipdSharingPlan', 'miscellaneous'],
  'ipdSharing.statement': ['ipdSharingStatement'],
  'ipdSharing.types': ['dataPolicies', 'dataPolicy'],
  documents: ['outputs', 'attachedFiles'],
  secondaryIds: ['externalRefs'],
};

/** Members that every study of ClinicalTrials.gov has, unless only some fields of it were asked for. */
const wholeStudy = z.looseObject({
  hasResults: z.unknown().nonoptional(),
  protocolSection: z.looseObject({
    statusModule: z.looseObject({ overallStatus: z.unknown().nonoptional() }),
    sponsorCollaboratorsModule: z.looseObject({ leadSponsor: z.unknown().nonoptional() }),
    designModule: z.looseObject({ studyType: z.unknown().nonoptional() }),
  }),
});

/** The form in which each registration is held, in their order, from its payload. Rejects where one cannot be read. */
export function recordForms(
  store: KeyedReads,
  snapshot: ReadSnapshot,
  registrations: readonly Registration[],
): Promise<RecordForm[]> {
  return Promise.all(
    registrations.map(async (registration) => {
      const [payload] = await store.rawPayloads(snapshot, [registration]);
      if (registration.registry === 'isrctn') return formOfIsrctn(payload!);
      if (wholeStudy.safeParse(JSON.parse(payloadText(payload!))).success) return WHOLE;
      // Any field may have been left out, so a blank one is known for none.
      return { holds: () => false, lacking: 'a study that was asked for with some of its fields only' };
    }),
  );
}

function formOfIsrctn({ format, json }: RawPayload): RecordForm {
  if (format === 'csv') {
    return { holds: (field) => CSV_FIELDS.includes(field), lacking: "a row of the registry's CSV export" };
  }
  const names = namesIn(payloadText({ json }));
  const holds = (field: string): boolean => XML_SOURCES[field]?.some((source) => names.has(source)) ?? true;
  const isWhole = Object.keys(XML_SOURCES).every(holds);
  return { holds, lacking: isWhole ? null : 'an XML record without some elements of the current schema' };
}

/** Names of the elements of an XML text, and of attributes with = behind them. */
function namesIn(xml: string): Set<string> {
  const names = new Set<string>();
  for (const [tag, name = ''] of xml.matchAll(/<(?:\w+:)?(\w+)[^<>]*>/g)) {
    names.add(name);
    for (const [, attribute = ''] of tag.matchAll(/\s(\w+)=/g)) names.add(`${attribute}=`);
  }
  return names;
}
