import { decodeHTML } from 'entities';
import { completedYears, people, type RawRecord, span } from './record.ts';

/** One study of ClinicalTrials.gov as its interface sends it. */
// biome-ignore lint/suspicious/noExplicitAny: a study as the registry sends it
export function readStudy(study: any): RawRecord {
  const protocol = study.protocolSection;
  const { identificationModule: identification, statusModule: status, designModule: design } = protocol;
  const { leadSponsor, collaborators = [] } = protocol.sponsorCollaboratorsModule;
  const locations: { city?: string; country?: string; status?: string }[] =
    protocol.contactsLocationsModule?.locations ?? [];
  const interventions: { name?: string; otherNames?: string[]; description?: string }[] =
    protocol.armsInterventionsModule?.interventions ?? [];
  const eligibility = protocol.eligibilityModule;
  return {
    registry: 'clinicaltrials_gov',
    id: identification.nctId,
    title: identification.briefTitle,
    officialTitle: identification.officialTitle ?? '',
    acronym: identification.acronym ?? '',
    // Some records state a sign as a character reference of HTML.
    conditions: protocol.conditionsModule.conditions.map((condition: string) => decodeHTML(condition)),
    interventions: interventions.flatMap(({ name, otherNames = [], description }) => [
      ...(name === undefined ? [description ?? ''] : [name]),
      ...otherNames,
    ]),
    sponsor: { name: leadSponsor.name, kind: leadSponsor.class },
    organisations: [leadSponsor, ...collaborators].map(({ name }: { name: string }) => name),
    status: { overall: status.overallStatus, recruitment: status.overallStatus },
    phases: design.phases ?? [],
    studyType: design.studyType,
    countries: locations.flatMap(({ country }) => country ?? []),
    sites: locations.map(({ city = '', country = '', status: own = '' }) => ({ city, country, status: own })),
    keywords: protocol.conditionsModule.keywords ?? [],
    hasResults: study.hasResults,
    dates: {
      start: span(status.startDateStruct?.date),
      primaryCompletion: span(status.primaryCompletionDateStruct?.date),
      completion: span(status.completionDateStruct?.date),
      firstPosted: span(status.studyFirstPostDateStruct?.date),
      updated: span(status.lastUpdatePostDateStruct?.date),
      resultsPosted: span(status.resultsFirstPostDateStruct?.date),
    },
    enrollment: people(design.enrollmentInfo?.count),
    sex: eligibility.sex,
    ages: { from: completedYears(eligibility.minimumAge), to: completedYears(eligibility.maximumAge) },
  };
}
