import { BLANK, PROSE, type RegistryField } from './field-types.ts';

/**
 * The long fields of a registration: prose, and lists that can have hundreds of items. Only the registration shows them, in
 * the record of its trial and in the table `registrations`; lists of trials and merged trials leave them out.
 */

const NO_MESH = 'none: the registry attaches no MeSH terms';
const MESH_SOURCE = 'attached by the registry from the words of the record, not by the sponsor';

export const DETAIL_FIELDS = {
  briefSummary: {
    type: 'text',
    prose: true,
    meaning: 'what the study is about, in prose',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.descriptionModule.briefSummary',
      isrctn: 'trialDescription.plainEnglishSummary up to its section on the main contact',
    },
    defect: PROSE,
    trial: null,
  },
  keywords: {
    type: 'texts',
    meaning: "the sponsor's keywords",
    source: {
      clinicaltrials_gov: 'protocolSection.conditionsModule.keywords[]',
      isrctn: 'none',
    },
    trial: null,
  },
  conditionMesh: {
    type: 'mesh',
    meaning: 'MeSH terms of the conditions',
    source: { clinicaltrials_gov: 'derivedSection.conditionBrowseModule.meshes[]', isrctn: NO_MESH },
    defect: MESH_SOURCE,
    trial: null,
  },
  conditionMeshAncestors: {
    type: 'mesh',
    meaning: 'MeSH terms above those of the conditions',
    source: { clinicaltrials_gov: 'derivedSection.conditionBrowseModule.ancestors[]', isrctn: NO_MESH },
    defect: MESH_SOURCE,
    trial: null,
  },
  interventionMesh: {
    type: 'mesh',
    meaning: 'MeSH terms of the interventions',
    source: { clinicaltrials_gov: 'derivedSection.interventionBrowseModule.meshes[]', isrctn: NO_MESH },
    defect: MESH_SOURCE,
    trial: null,
  },
  interventionMeshAncestors: {
    type: 'mesh',
    meaning: 'MeSH terms above those of the interventions',
    source: { clinicaltrials_gov: 'derivedSection.interventionBrowseModule.ancestors[]', isrctn: NO_MESH },
    defect: MESH_SOURCE,
    trial: null,
  },
  sponsors: {
    type: 'organisations',
    meaning: 'every sponsor, the lead sponsor first',
    source: {
      clinicaltrials_gov: 'protocolSection.sponsorCollaboratorsModule.leadSponsor',
      isrctn:
        'organisation, sponsorType or commercialStatus, rorId of every sponsor, in the order of parties.sponsorId',
    },
    trial: null,
  },
  collaborators: {
    type: 'organisations',
    meaning: 'organisations that support the study beside its sponsor',
    source: {
      clinicaltrials_gov: 'protocolSection.sponsorCollaboratorsModule.collaborators[]',
      isrctn: 'none: it has funders',
    },
    trial: null,
  },
  funders: {
    type: 'organisations',
    meaning: 'organisations that pay for the study',
    source: {
      clinicaltrials_gov: 'none: they are among the collaborators',
      isrctn: 'name and fundRef of every funder, in the order of parties.funderId',
    },
    trial: null,
  },
  interventionDescriptions: {
    type: 'descriptions',
    meaning: 'what the registry says of each intervention, named or not',
    source: {
      clinicaltrials_gov: 'protocolSection.armsInterventionsModule.interventions[]; name and description',
      isrctn: 'interventions.intervention[]; description, with its drugNames',
    },
    defect: PROSE,
    trial: null,
  },
  arms: {
    type: 'arms',
    meaning: 'groups of participants and what each receives',
    source: {
      clinicaltrials_gov: 'protocolSection.armsInterventionsModule.armGroups[]',
      isrctn: 'none: its intervention descriptions tell of groups',
    },
    defect: PROSE,
    trial: null,
  },
} as const satisfies Record<string, RegistryField>;
