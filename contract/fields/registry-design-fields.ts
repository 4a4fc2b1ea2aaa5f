import { ALLOCATIONS, MASKINGS, PARTICIPANT_SEX } from '../vocabularies.ts';
import { BLANK, PROSE, type RegistryField } from './field-types.ts';

/**
 * How a registration's study is made: outcomes, design, who may take part, where, and what is shared. Only the
 * registration shows these fields, as those of registry-detail-fields.ts.
 */

const WORDS = "the registry's own words in lower case, _ and - as blanks";
const NO_DETAIL = 'none';
const AGE_DEFECT = 'months, weeks and days are parts of a year, to three decimals; more than 150 years reads as null';
const NO_AGE = 'the registry states no limit, or one that is not a number with a unit; see the raw text';
const NO_IPD_DETAIL = 'none: its statement tells it';

export const DESIGN_FIELDS = {
  primaryOutcomes: {
    type: 'outcomes',
    meaning: 'primary outcome measures with how and when each is measured',
    source: {
      clinicaltrials_gov: 'protocolSection.outcomesModule.primaryOutcomes[]',
      isrctn: 'trialDescription.primaryOutcomes.outcomeMeasure[], else trialDescription.primaryOutcome; prose is one',
    },
    defect: PROSE,
    trial: null,
  },
  secondaryOutcomes: {
    type: 'outcomes',
    meaning: 'secondary outcome measures with how and when each is measured',
    source: {
      clinicaltrials_gov: 'protocolSection.outcomesModule.secondaryOutcomes[]',
      isrctn:
        'trialDescription.secondaryOutcomes.outcomeMeasure[], else trialDescription.secondaryOutcome; prose is one',
    },
    defect: PROSE,
    trial: null,
  },
  otherOutcomes: {
    type: 'outcomes',
    meaning: 'other outcome measures with how and when each is measured',
    source: {
      clinicaltrials_gov: 'protocolSection.outcomesModule.otherOutcomes[]',
      isrctn: NO_DETAIL,
    },
    defect: PROSE,
    trial: null,
  },
  allocation: {
    type: 'word',
    words: ALLOCATIONS,
    meaning: 'how participants are assigned to groups',
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.allocation',
      isrctn:
        'trialDesign.interventionalTrialDesign.allocation, else secondaryStudyDesign where it says whether it is randomised',
    },
    trial: null,
    inConflicts: true,
    json: 'design.allocation',
  },
  allocationRaw: {
    type: 'text',
    meaning: "the registry's own allocation",
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.allocation',
      isrctn: 'the element that decided',
    },
    trial: null,
    json: 'design.allocationRaw',
  },
  masking: {
    type: 'word',
    words: MASKINGS,
    meaning: 'how many parties do not know who receives what; masked where the registry does not say how many',
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.maskingInfo.masking',
      isrctn: 'trialDesign.interventionalTrialDesign.masking; not read from the prose of studyDesign',
    },
    trial: null,
    inConflicts: true,
    json: 'design.masking',
  },
  maskingRaw: {
    type: 'text',
    meaning: "the registry's own masking",
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.maskingInfo.masking',
      isrctn: 'trialDesign.interventionalTrialDesign.masking',
    },
    trial: null,
    json: 'design.maskingRaw',
  },
  maskedParties: {
    type: 'texts',
    lowerCase: true,
    meaning: `who does not know: participant, care provider, investigator, outcomes assessor; ${WORDS}`,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.maskingInfo.whoMasked[]',
      isrctn: NO_DETAIL,
    },
    trial: null,
    json: 'design.maskedParties',
  },
  maskingDescription: {
    type: 'text',
    prose: true,
    meaning: 'masking in prose',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.maskingInfo.maskingDescription',
      isrctn: NO_DETAIL,
    },
    defect: PROSE,
    trial: null,
    json: 'design.maskingDescription',
  },
  purposes: {
    type: 'texts',
    lowerCase: true,
    meaning: `what the study is for: treatment, prevention, diagnostic and others; ${WORDS}`,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.primaryPurpose',
      isrctn:
        'trialDesign.interventionalTrialDesign.purposes.purpose[], else trialDesign.trialTypes.trialType[], else trialDesign.trialType',
    },
    trial: null,
    inConflicts: true,
    json: 'design.purposes',
  },
  interventionModel: {
    type: 'text',
    lowerCase: true,
    meaning: `how groups receive the interventions: parallel, crossover, single group and others; ${WORDS}`,
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.interventionModel',
      isrctn: 'trialDesign.interventionalTrialDesign.assignment',
    },
    trial: null,
    inConflicts: true,
    json: 'design.interventionModel',
  },
  observationalModel: {
    type: 'text',
    lowerCase: true,
    meaning: `how participants of an observational study are chosen: cohort, case control and others; ${WORDS}, without "study"`,
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.observationalModel',
      isrctn: 'trialDesign.secondaryStudyDesign where primaryStudyDesign is Observational',
    },
    trial: null,
    inConflicts: true,
    json: 'design.observationalModel',
  },
  designDescription: {
    type: 'text',
    prose: true,
    meaning: 'the design in prose',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.designModule.designInfo.interventionModelDescription',
      isrctn: 'trialDesign.studyDesign',
    },
    defect: PROSE,
    trial: null,
    json: 'design.prose',
  },
  sex: {
    type: 'word',
    words: PARTICIPANT_SEX,
    meaning: 'sex of those who may take part',
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.sex',
      isrctn: 'participants.gender',
    },
    trial: null,
    inConflicts: true,
    json: 'eligibility.sex',
  },
  sexRaw: {
    type: 'text',
    meaning: "the registry's own word for it",
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.sex',
      isrctn: 'participants.gender',
    },
    trial: null,
    json: 'eligibility.sexRaw',
  },
  minimumAge: {
    type: 'number',
    unit: 'years',
    meaning: 'youngest age at which a person may take part, in years',
    null: NO_AGE,
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.minimumAge',
      isrctn: 'participants.lowerAgeLimit',
    },
    defect: AGE_DEFECT,
    trial: null,
    inConflicts: true,
    json: 'eligibility.minimumAge',
  },
  minimumAgeRaw: {
    type: 'text',
    meaning: 'youngest age as the registry writes it, with its unit',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.minimumAge',
      isrctn: 'participants.lowerAgeLimit',
    },
    trial: null,
    json: 'eligibility.minimumAgeRaw',
  },
  maximumAge: {
    type: 'number',
    unit: 'years',
    meaning: 'oldest age at which a person may take part, in years',
    null: NO_AGE,
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.maximumAge',
      isrctn: 'participants.upperAgeLimit',
    },
    defect: AGE_DEFECT,
    trial: null,
    inConflicts: true,
    json: 'eligibility.maximumAge',
  },
  maximumAgeRaw: {
    type: 'text',
    meaning: 'oldest age as the registry writes it, with its unit',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.maximumAge',
      isrctn: 'participants.upperAgeLimit',
    },
    trial: null,
    json: 'eligibility.maximumAgeRaw',
  },
  healthyVolunteers: {
    type: 'flag',
    meaning: 'whether healthy people may take part',
    null: 'the registry does not say',
    source: {
      clinicaltrials_gov: 'protocolSection.eligibilityModule.healthyVolunteers',
      isrctn: 'participants.healthyVolunteersAllowed, else true where a participant type is Healthy volunteer',
    },
    trial: null,
    inConflicts: true,
    json: 'eligibility.healthyVolunteers',
  },
  sites: {
    type: 'sites',
    meaning: 'where the study takes place; contacts of sites are not kept',
    source: {
      clinicaltrials_gov: 'protocolSection.contactsLocationsModule.locations[]',
      isrctn: 'participants.trialCentres.trialCentre[]',
    },
    defect: PROSE,
    trial: null,
  },
  whyStopped: {
    type: 'text',
    prose: true,
    meaning: 'why the study stopped early',
    null: 'it did not, or the registry left it blank',
    source: {
      clinicaltrials_gov: 'protocolSection.statusModule.whyStopped',
      isrctn: 'trialDesign.reasonAbandoned',
    },
    defect: PROSE,
    trial: null,
  },
  ipdSharingPlan: {
    type: 'text',
    prose: true,
    meaning: `whether data of individual participants will be shared: yes, no, undecided; ${WORDS}`,
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.ipdSharingStatementModule.ipdSharing',
      isrctn: 'miscellaneous.ipdSharingPlan',
    },
    trial: null,
    inConflicts: true,
    json: 'ipdSharing.plan',
  },
  ipdSharingStatement: {
    type: 'text',
    prose: true,
    meaning: 'what will be shared and why, in prose',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.ipdSharingStatementModule.description',
      isrctn: 'results.ipdSharingStatement',
    },
    defect: PROSE,
    trial: null,
    json: 'ipdSharing.statement',
  },
  ipdSharingTypes: {
    type: 'texts',
    lowerCase: true,
    meaning: `what else will be shared, or the data policies; ${WORDS}`,
    source: {
      clinicaltrials_gov: 'protocolSection.ipdSharingStatementModule.infoTypes[]',
      isrctn: 'results.dataPolicies.dataPolicy[], else results.dataPolicy',
    },
    trial: null,
    json: 'ipdSharing.types',
  },
  ipdSharingTimeFrame: {
    type: 'text',
    prose: true,
    meaning: 'when data will be available',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.ipdSharingStatementModule.timeFrame',
      isrctn: NO_IPD_DETAIL,
    },
    defect: PROSE,
    trial: null,
    json: 'ipdSharing.timeFrame',
  },
  ipdSharingAccess: {
    type: 'text',
    prose: true,
    meaning: 'who may have the data, and how',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.ipdSharingStatementModule.accessCriteria',
      isrctn: NO_IPD_DETAIL,
    },
    defect: PROSE,
    trial: null,
    json: 'ipdSharing.access',
  },
  ipdSharingUrl: {
    type: 'text',
    meaning: 'page about the shared data',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.ipdSharingStatementModule.url',
      isrctn: NO_IPD_DETAIL,
    },
    trial: null,
    json: 'ipdSharing.url',
  },
  documents: {
    type: 'documents',
    meaning: 'protocols, analysis plans, consent forms and other files that the registry holds',
    source: {
      clinicaltrials_gov:
        "documentSection.largeDocumentModule.largeDocs[]; the address is the registry's own for the file name",
      isrctn:
        'outputs.output[] with a file, or with the address of a participant information sheet, then attachedFiles.attachedFile[] of no output',
    },
    trial: null,
  },
  secondaryIds: {
    type: 'secondaryIds',
    meaning:
      'every number that the registry lists beside its own, as stated; identifiers has those that are recognised',
    source: {
      clinicaltrials_gov: 'protocolSection.identificationModule.orgStudyIdInfo and secondaryIdInfos[]',
      isrctn: 'externalRefs: every number but the DOI; secondaryNumbers repeat some of them',
    },
    trial: null,
  },
} as const satisfies Record<string, RegistryField>;
