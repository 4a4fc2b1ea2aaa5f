import type { RegistrationFields } from '../../../snapshot/format/registration.ts';
import { type Fields, objectAt, objectsAt, textAt, textsAt } from '../fields.ts';
import { isFiller, withoutFiller } from '../not-stated.ts';
import { withoutContacts, withoutEscapes } from '../prose.ts';
import { distinct } from '../values.ts';
import { ctgovSponsorClass } from '../vocabulary.ts';

/** The long fields of a study (contract/fields/registry-detail-fields.ts). Contacts and officials are not read. */
export function ctgovDetails(study: Fields, protocol: Fields) {
  const arms = objectAt(protocol, 'armsInterventionsModule');
  const derived = objectAt(study, 'derivedSection');
  const conditions = objectAt(derived, 'conditionBrowseModule');
  const interventions = objectAt(derived, 'interventionBrowseModule');
  const parties = objectAt(protocol, 'sponsorCollaboratorsModule');
  return {
    briefSummary: proseOf(objectAt(protocol, 'descriptionModule'), 'briefSummary'),
    keywords: distinct(textsAt(objectAt(protocol, 'conditionsModule'), 'keywords').filter((word) => !isFiller(word))),
    conditionMesh: meshAt(conditions, 'meshes'),
    conditionMeshAncestors: meshAt(conditions, 'ancestors'),
    interventionMesh: meshAt(interventions, 'meshes'),
    interventionMeshAncestors: meshAt(interventions, 'ancestors'),
    sponsors: organisationsOf([objectAt(parties, 'leadSponsor')]),
    collaborators: organisationsOf(objectsAt(parties, 'collaborators')),
    funders: [],
    interventionDescriptions: descriptionsOf(arms),
    arms: armsOf(arms),
  } satisfies Partial<RegistrationFields>;
}

/** Prose below `key` as a reader sees it, without what leads to a person. */
export function proseOf(fields: Fields, key: string): string | null {
  const text = withoutFiller(textAt(fields, key));
  return text === null ? null : withoutContacts(withoutEscapes(text));
}

function meshAt(module: Fields, key: string): RegistrationFields['conditionMesh'] {
  const terms: RegistrationFields['conditionMesh'] = [];
  for (const one of objectsAt(module, key)) {
    const term = textAt(one, 'term');
    if (term !== null) terms.push({ id: textAt(one, 'id'), term });
  }
  return terms;
}

function organisationsOf(given: Fields[]): RegistrationFields['sponsors'] {
  const organisations: RegistrationFields['sponsors'] = [];
  for (const one of given) {
    const name = withoutFiller(textAt(one, 'name'));
    const classRaw = textAt(one, 'class');
    if (name !== null) organisations.push({ name, class: ctgovSponsorClass(classRaw), classRaw, reference: null });
  }
  return organisations;
}

function descriptionsOf(module: Fields): RegistrationFields['interventionDescriptions'] {
  const descriptions: RegistrationFields['interventionDescriptions'] = [];
  for (const intervention of objectsAt(module, 'interventions')) {
    const description = proseOf(intervention, 'description');
    if (description === null) continue;
    const name = withoutFiller(textAt(intervention, 'name'));
    descriptions.push({ names: name === null ? [] : [name], description });
  }
  return descriptions;
}

function armsOf(module: Fields): RegistrationFields['arms'] {
  const arms: RegistrationFields['arms'] = [];
  for (const arm of objectsAt(module, 'armGroups')) {
    const label = textAt(arm, 'label');
    if (label === null) continue;
    const type = textAt(arm, 'type')?.toLowerCase() ?? null;
    arms.push({
      label,
      type,
      description: proseOf(arm, 'description'),
      interventionNames: textsAt(arm, 'interventionNames'),
    });
  }
  return arms;
}
