import { REGISTRY_IDS } from '../ids.ts';
import { PHASES, RECRUITMENT_STATUSES, SPONSOR_CLASSES, STUDY_TYPES, TRIAL_STATUSES } from '../vocabularies.ts';
import { BLANK, type Column, type RegistryField } from './field-types.ts';
import { DESIGN_FIELDS } from './registry-design-fields.ts';
import { DETAIL_FIELDS } from './registry-detail-fields.ts';

/**
 * Every field of a registration and of a trial, once. Types, tables, column lists, the merge, the comparison of snapshots,
 * the API's schema and the data dictionary all follow from these tables; their order is the order of Parquet columns and of
 * JSON keys. They stand in the contract because it is the only package that both the API's schema and the pipeline may read.
 */

/** What identifies a registration and its payload; these columns come first. */
export const RECORD_COLUMNS = {
  registry: { type: 'word', words: REGISTRY_IDS, meaning: 'registry that holds the record' },
  id: { type: 'text', meaning: 'number of the record with its prefix: NCT01234567 or ISRCTN12345678' },
  url: { type: 'text', meaning: "the record's own page at its registry" },
  aliases: {
    type: 'texts',
    meaning: 'numbers that this record had before',
    source: { clinicaltrials_gov: 'protocolSection.identificationModule.nctIdAliases[]', isrctn: 'none' },
  },
  payloadSha256: { type: 'text', meaning: 'SHA-256 of the payload exactly as received, lower-case hexadecimal' },
  retrievedAt: {
    type: 'instant',
    meaning: 'when the payload was received; of a dump, the first instant of its own day',
    unit: 'UTC',
    hashed: false,
  },
  sourceVersion: {
    type: 'text',
    meaning: "the registry's own version of the record",
    null: 'the registry states none',
    source: { clinicaltrials_gov: 'none: versionHolder is the day of the whole data set', isrctn: 'trial@version' },
  },
  supersededBy: {
    type: 'text',
    meaning:
      'number of the held record that the registry keeps in place of this one; such a record stays readable, belongs to the trial of that one, and is counted nowhere',
    null: 'no other held record has its number among its earlier ones, or several that are not one study',
    source: {
      clinicaltrials_gov: 'protocolSection.identificationModule.nctIdAliases[] of the other record',
      isrctn: 'none',
    },
  },
} as const satisfies Record<string, Column>;

/** What identifies a trial; these columns come first. */
export const TRIAL_COLUMNS = {
  canonicalId: { type: 'text', meaning: 'id of the trial: wt_ and at least 12 characters' },
  aliases: {
    type: 'texts',
    meaning: 'canonical ids that this trial had before; they keep resolving, one that was divided to several trials',
  },
  ctgovId: { type: 'text', meaning: 'its ClinicalTrials.gov number', null: 'not registered there, as far as is known' },
  isrctnId: { type: 'text', meaning: 'its ISRCTN number', null: 'not registered there, as far as is known' },
  registries: { type: 'texts', meaning: 'registries that hold a registration of it' },
  foundingRegistry: { type: 'word', words: REGISTRY_IDS, meaning: 'registry of the record that the id was given for' },
  foundingId: { type: 'text', meaning: 'number of the record that the id was given for' },
  origins: {
    type: 'origins',
    meaning:
      'for each column that is merged from its registrations, the registry whose value the trial shows; null where none states a value',
  },
  allCountries: {
    type: 'texts',
    meaning:
      'countries of every registration, each once; the filter country reads these, countries is of one registration',
    hashed: false,
  },
  allConditions: {
    type: 'texts',
    meaning:
      'conditions of every registration, each once; the filter condition reads these in any case of letters, conditions is of one registration',
    hashed: false,
  },
  allInterventions: {
    type: 'interventions',
    meaning:
      'interventions of every registration, equal ones once; the filter intervention reads the words of these, interventions is of one registration',
    hashed: false,
  },
  allSponsorNames: {
    type: 'texts',
    meaning:
      'lead sponsors that the registrations name, each once; the filter sponsor reads the words of these, sponsor_name is of one registration',
    hashed: false,
  },
} as const satisfies Record<string, Column>;

const NO_DATE =
  'the registry left it blank, or states a text that is no date, which date_notes of the registration has';

/** What a registration states. A trial shows the fields that have a merge rule. */
export const REGISTRY_FIELDS = {
  title: {
    type: 'text',
    meaning: 'short title',
    null: 'does not occur: a record without any title is quarantined; the number of the record stands for one that says nothing',
    source: {
      clinicaltrials_gov: 'protocolSection.identificationModule.briefTitle, else officialTitle',
      isrctn: 'trialDescription.title, else scientificTitle',
    },
    trial: 'first',
    inConflicts: true,
  },
  officialTitle: {
    type: 'text',
    meaning: 'full scientific title',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.identificationModule.officialTitle',
      isrctn: 'trialDescription.scientificTitle',
    },
    trial: 'first',
    inConflicts: true,
  },
  acronym: {
    type: 'text',
    meaning: 'acronym of the study',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.identificationModule.acronym',
      isrctn: 'trialDescription.acronym; fillers as N/A read as blank',
    },
    trial: 'first',
    inConflicts: true,
  },
  status: {
    type: 'word',
    words: TRIAL_STATUSES,
    meaning: 'whether the trial runs',
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.overallStatus',
      isrctn: "derived from trialDesign.overallStatusOverride, else from dates as of the snapshot's day",
    },
    defect: 'ISRCTN states no status; a derived one is as old as its dates',
    trial: 'withStatus',
    inConflicts: true,
  },
  recruitmentStatus: {
    type: 'word',
    words: RECRUITMENT_STATUSES,
    meaning: 'whether a running trial takes participants; else the status again',
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.overallStatus',
      isrctn: 'participants.recruitmentStatusOverride, else derived from recruitmentStart and recruitmentEnd',
    },
    trial: 'withStatus',
    inConflicts: true,
  },
  statusRaw: {
    type: 'text',
    meaning: "the registry's own status",
    null: 'the registry states none, as most ISRCTN records',
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.overallStatus',
      isrctn: 'trialDesign.overallStatusOverride, else the overrides of participants',
    },
    trial: null,
  },
  statusBasis: {
    type: 'text',
    meaning: 'how the status was arrived at; ISRCTN states none, it is derived from dates and override',
    source: { clinicaltrials_gov: 'name of the field that decided', isrctn: 'fields and dates that decided' },
    trial: 'withStatus',
  },
  phase: {
    type: 'word',
    words: PHASES,
    meaning: 'phase of drug development',
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.phases[]',
      isrctn: 'interventions.intervention[].phase',
    },
    defect: 'ISRCTN interventions in different phases read as not-stated',
    trial: 'word',
    inConflicts: true,
  },
  phaseRaw: {
    type: 'text',
    meaning: "the registry's own phases, joined",
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.phases[]',
      isrctn: 'interventions.intervention[].phase',
    },
    trial: null,
  },
  studyType: {
    type: 'word',
    words: STUDY_TYPES,
    meaning: 'type of study',
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.studyType',
      isrctn: 'trialDesign.primaryStudyDesign; other words read as unknown',
    },
    trial: 'word',
    inConflicts: true,
  },
  studyTypeRaw: {
    type: 'text',
    meaning: "the registry's own type of study",
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.studyType',
      isrctn: 'trialDesign.primaryStudyDesign',
    },
    trial: null,
  },
  sponsorName: {
    type: 'text',
    meaning: 'name of the lead sponsor',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.sponsorCollaboratorsModule.leadSponsor.name',
      isrctn: 'organisation of the sponsor that parties.sponsorId names first, else of the first sponsor',
    },
    trial: 'withSponsor',
    inConflicts: true,
    json: 'sponsor.name',
    comparedAs: 'sponsor',
  },
  sponsorClass: {
    type: 'word',
    words: SPONSOR_CLASSES,
    meaning: 'kind of the lead sponsor',
    source: {
      clinicaltrials_gov: 'protocolSection.sponsorCollaboratorsModule.leadSponsor.class',
      isrctn: 'sponsorType, else commercialStatus, of the same sponsor',
    },
    trial: 'withSponsor',
    inConflicts: true,
    json: 'sponsor.class',
  },
  sponsorClassRaw: {
    type: 'text',
    meaning: "the registry's own kind of sponsor",
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.sponsorCollaboratorsModule.leadSponsor.class',
      isrctn: 'sponsorType, else commercialStatus',
    },
    trial: null,
  },
  enrollmentCount: {
    type: 'count',
    unit: 'people',
    meaning: 'people; planned until the study is completed',
    null: 'blank or a sentinel, see note',
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.enrollmentInfo.count',
      isrctn:
        'participants.totalFinalEnrolment if above 0, or once an override or an end before trial@lastUpdated says that the trial has ended; else targetEnrolment',
    },
    defect:
      'sponsors write fillers (999999) for no number, which read as null; ISRCTN fills in 0 until the end, which reads as no final number',
    trial: 'withPeople',
    inConflicts: true,
    json: 'enrollment.count',
    comparedAs: 'enrollment',
  },
  enrollmentType: {
    type: 'word',
    words: ['actual', 'estimated'],
    meaning: 'whether the number is of people enrolled or planned',
    null: 'there is no number, or the registry does not say',
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.enrollmentInfo.type',
      isrctn: 'actual for totalFinalEnrolment, estimated for targetEnrolment',
    },
    trial: 'withPeople',
    json: 'enrollment.type',
  },
  enrollmentRaw: {
    type: 'text',
    meaning: "the registry's own number, as written",
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.enrollmentInfo.count',
      isrctn: 'participants.targetEnrolment and totalFinalEnrolment, with their names',
    },
    trial: null,
  },
  enrollmentNote: {
    type: 'text',
    prose: true,
    meaning:
      'why there is no number of people, why a stated final number is not taken and the target stands, or what a final 0 may mean',
    null: 'there is a number and nothing to say of it',
    source: { clinicaltrials_gov: 'follows from the count', isrctn: 'follows from both counts' },
    trial: 'withPeople',
    json: 'enrollment.note',
  },
  countries: {
    type: 'texts',
    meaning: 'countries of the sites under their common English names, each once',
    source: {
      clinicaltrials_gov: 'protocolSection.contactsLocationsModule.locations[].country',
      isrctn: 'participants.recruitmentCountries.country[]',
    },
    trial: 'list',
    inConflicts: true,
  },
  countriesRaw: {
    type: 'texts',
    meaning: "the registry's own country names, each once",
    source: {
      clinicaltrials_gov: 'protocolSection.contactsLocationsModule.locations[].country',
      isrctn: 'participants.recruitmentCountries.country[]',
    },
    trial: null,
  },
  conditions: {
    type: 'texts',
    meaning: "the registry's own terms",
    source: {
      clinicaltrials_gov: 'protocolSection.conditionsModule.conditions[]',
      isrctn: 'conditions.condition[].description',
    },
    trial: 'list',
    inConflicts: true,
  },
  interventions: {
    type: 'interventions',
    meaning: 'what is tested and what it is compared with',
    source: {
      clinicaltrials_gov: 'protocolSection.armsInterventionsModule.interventions[]',
      isrctn: 'interventions.intervention[]; one for each of drugNames, else its description',
    },
    trial: 'list',
    inConflicts: true,
  },
  primaryEndpoints: {
    type: 'endpoints',
    meaning: 'primary outcome measures with their time frames',
    source: {
      clinicaltrials_gov: 'protocolSection.outcomesModule.primaryOutcomes[]',
      isrctn: 'trialDescription.primaryOutcomes.outcomeMeasure[], else trialDescription.primaryOutcome; prose is one',
    },
    trial: 'list',
    inConflicts: true,
  },
  startDate: {
    type: 'date',
    meaning: 'start of the study',
    null: NO_DATE,
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.startDateStruct',
      isrctn: 'participants.recruitmentStart (trialDesign.overallStartDate in old records)',
    },
    trial: 'first',
    inConflicts: true,
    json: 'dates.start',
  },
  primaryCompletionDate: {
    type: 'date',
    meaning: 'last data for the primary outcome',
    null: NO_DATE,
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.primaryCompletionDateStruct',
      isrctn: 'none',
    },
    trial: 'first',
    inConflicts: true,
    json: 'dates.primaryCompletion',
  },
  completionDate: {
    type: 'date',
    meaning: 'end of the study',
    null: NO_DATE,
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.completionDateStruct',
      isrctn: 'trialDesign.overallEndDate',
    },
    trial: 'first',
    inConflicts: true,
    json: 'dates.completion',
  },
  firstPostedDate: {
    type: 'date',
    meaning: 'first publication of the record',
    null: NO_DATE,
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.studyFirstPostDateStruct',
      isrctn: 'isrctn@dateAssigned, else trial@publicIdentifierDateAssigned',
    },
    trial: 'earliest',
    inConflicts: true,
    json: 'dates.firstPosted',
  },
  lastUpdatedDate: {
    type: 'date',
    meaning: 'last change of the record',
    null: NO_DATE,
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.lastUpdatePostDateStruct',
      isrctn: 'trial@lastUpdated',
    },
    trial: 'latest',
    inConflicts: true,
    json: 'dates.lastUpdated',
  },
  resultsPostedDate: {
    type: 'date',
    meaning: 'first publication of results at the registry',
    null: 'no results posted, or the registry does not say when; date_notes has a text that cannot be read',
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.resultsFirstPostDateStruct',
      isrctn: 'none',
    },
    trial: 'first',
    inConflicts: true,
    json: 'dates.resultsPosted',
  },
  dateNotes: {
    type: 'texts',
    meaning:
      'dates that the registry states and that cannot be read, each as the field that lacks it, the word unreadable and the text; empty where every date was read',
    source: {
      clinicaltrials_gov: 'the date structs of protocolSection.statusModule, dates of documents',
      isrctn: 'the dates of trial, trialDesign and participants, dates of outputs',
    },
    trial: null,
  },
  resultsAvailable: {
    type: 'flag',
    meaning: 'results are held by a registry itself; publications do not count',
    source: {
      clinicaltrials_gov: 'hasResults, else whether there is a resultsSection',
      isrctn: 'outputs: basicresults with a file, else a basicReport that names an attached file',
    },
    trial: 'any',
    inConflicts: true,
  },
  resultsBasis: {
    type: 'text',
    meaning: 'which field says whether results are held',
    source: { clinicaltrials_gov: 'name of the field that decided', isrctn: 'name of the field that decided' },
    trial: 'withResults',
  },
  sponsorCodes: {
    type: 'texts',
    meaning:
      "protocol codes of sponsors: they never join registrations, and many sponsors use the same; ours, not the interface's",
    source: {
      clinicaltrials_gov:
        'protocolSection.identificationModule.orgStudyIdInfo.id, secondaryIdInfos[].id of type OTHER or none, where no identifier is recognised',
      isrctn: 'externalRefs.protocolSerialNumber, secondaryNumbers of that type, where no identifier is recognised',
    },
    trial: null,
  },
  ...DETAIL_FIELDS,
  ...DESIGN_FIELDS,
  eligibilityText: {
    type: 'text',
    prose: true,
    meaning: 'who may take part, as prose',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.eligibilityCriteria',
      isrctn: 'participants.inclusion and participants.exclusion',
    },
    trial: null,
    json: null,
  },
} as const satisfies Record<string, RegistryField>;
