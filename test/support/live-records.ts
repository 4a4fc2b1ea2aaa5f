import type { FakeTrial } from '../fakes/registry-server.ts';

/** Small records in the registries' own formats, for runs against the fake registry. */

export interface StudySpec {
  nctId: string;
  title?: string;
  status?: string;
  aliases?: string[];
  secondaryIds?: string[];
  updated?: string;
  posted?: string;
}

export function study(spec: StudySpec): object {
  const { nctId, title = `Study ${nctId}`, status = 'RECRUITING', aliases = [], secondaryIds = [] } = spec;
  return {
    protocolSection: {
      identificationModule: {
        nctId,
        ...(aliases.length > 0 ? { nctIdAliases: aliases } : {}),
        orgStudyIdInfo: { id: `ORG-${nctId.slice(-4)}` },
        ...(secondaryIds.length > 0 ? { secondaryIdInfos: secondaryIds.map((id) => ({ id, type: 'OTHER' })) } : {}),
        organization: { fullName: 'Example University', class: 'OTHER' },
        briefTitle: title,
      },
      statusModule: {
        overallStatus: status,
        statusVerifiedDate: '2026-01',
        startDateStruct: { date: '2025-03', type: 'ACTUAL' },
        completionDateStruct: { date: '2027-06-30', type: 'ESTIMATED' },
        studyFirstPostDateStruct: { date: spec.posted ?? '2025-02-01', type: 'ACTUAL' },
        lastUpdatePostDateStruct: { date: spec.updated ?? '2026-11-01', type: 'ACTUAL' },
      },
      sponsorCollaboratorsModule: { leadSponsor: { name: 'Example University', class: 'OTHER' } },
      conditionsModule: { conditions: ['Heart Failure'] },
      designModule: {
        studyType: 'INTERVENTIONAL',
        phases: ['PHASE2'],
        enrollmentInfo: { count: 120, type: 'ESTIMATED' },
      },
    },
    derivedSection: { miscInfoModule: { versionHolder: '2026-11-20' } },
    hasResults: false,
  };
}

export interface TrialSpec {
  number: string;
  title?: string;
  nct?: string;
  updated?: string;
  assigned?: string;
}

export function isrctnTrial(spec: TrialSpec): FakeTrial {
  const { number, title = `Trial ${number}`, nct = 'Nil known' } = spec;
  const updated = spec.updated ?? '2026-11-01T10:00:00.000Z';
  const assigned = spec.assigned ?? '2025-01-15T00:00:00.000Z';
  return {
    lastUpdated: updated,
    xml: `<fullTrial><trial lastUpdated="${updated}" version="3" publicIdentifierCanonical="ISRCTN${number}">
      <isrctn dateAssigned="${assigned}">${number}</isrctn>
      <trialDescription><title>${title}</title><scientificTitle>${title}, scientific</scientificTitle><acronym/></trialDescription>
      <externalRefs><doi>10.1186/ISRCTN${number}</doi><eudraCTNumber/><irasNumber/>
        <clinicalTrialsGovNumber>${nct}</clinicalTrialsGovNumber><protocolSerialNumber/><secondaryNumbers/></externalRefs>
      <trialDesign><primaryStudyDesign>Interventional</primaryStudyDesign><overallEndDate>2028-01-01T00:00:00.000Z</overallEndDate></trialDesign>
      <participants><recruitmentCountries><country>England</country></recruitmentCountries><targetEnrolment>80</targetEnrolment>
        <recruitmentStart>2025-02-01T00:00:00.000Z</recruitmentStart><recruitmentEnd>2027-06-01T00:00:00.000Z</recruitmentEnd></participants>
      <conditions><condition><description>Heart failure</description></condition></conditions>
      <interventions><intervention><interventionType>Drug</interventionType><phase>Phase II</phase><drugNames>Exemplin</drugNames></intervention></interventions>
      <results/></trial></fullTrial>`,
  };
}

/** NCT numbers that pass the registry's check (divisible by 13), from an unused range. */
export function nct(index: number): string {
  return `NCT${91_000_000 + (13 - (91_000_000 % 13)) + 13 * index}`;
}
