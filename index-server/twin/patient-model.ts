import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { PATIENT_MODEL } from '../../contract/declared/patient-model.ts';
import {
  INVENTORY_KEYS,
  INVENTORY_VALUES,
  type InventoryKey,
  type InventoryValue,
  PATIENT_BRANCH_IDS,
} from '../../contract/ids.ts';
import { pageOf } from '../../contract/interfaces/pages.ts';
import type {
  getPatientModel,
  PATIENT_MODEL_OPERATIONS,
} from '../../contract/operations/research/twin-patient-model.ts';
import {
  type CurrentReferences,
  currentReferencesSchema,
  type PatientReference,
} from '../../contract/schemas/research/patient-model.ts';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import type { TwinServices } from './twin.ts';

type Guide = z.output<typeof getPatientModel.output>;

const HONESTY = [
  'Takes and returns no data of a person; what the inventory states is used for this answer and kept nowhere.',
  'The references are a dated, reviewed sample: refresh them before use.',
  'Nothing is scored or ranked: the order of modules, branches and references says nothing about merit.',
];

const INVENTORY_SCHEMA: Guide['inventorySchema'] = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    INVENTORY_KEYS.map((key) => [
      key,
      {
        type: 'string',
        enum: [...INVENTORY_VALUES],
        default: INVENTORY_VALUES[0],
        description: PATIENT_MODEL.dataRequirements.find(({ id }) => id === key)!.purpose,
      },
    ]),
  ) as Guide['inventorySchema']['properties'],
};

export const patientModelHandlers: Handlers<typeof PATIENT_MODEL_OPERATIONS, TwinServices> = {
  'patient-model': ({ query }, _context, { twin: { references } }) => {
    const { id, reviewedOn, scope } = references;
    const { version, status, objectiveId, scope: modelScope, privateApi } = PATIENT_MODEL;
    const { dataRequirements, branches, tasks, rules } = PATIENT_MODEL;
    return {
      data: {
        version,
        path: '/api/v1/twin/patient-model',
        page: pageOf('page-patient-model').path,
        status,
        objectiveId,
        scope: modelScope,
        privateApi,
        currentReferences: {
          path: '/api/v1/twin/patient-model/references',
          reviewedOn,
          references: references.references.length,
        },
        inventorySchema: INVENTORY_SCHEMA,
        dataRequirements,
        modules: modulesFor(query),
        branches,
        referenceSnapshot: { id, reviewedOn, scope, references: references.references },
        referencePolicy: references.referencePolicy,
        tasks,
        rules,
      },
      meta: { honesty: HONESTY },
    };
  },

  'patient-model-references': (_input, _context, { twin }) => ({ data: twin.references, meta: { honesty: HONESTY } }),
};

/** Each module with the stated state of its needs. They are not counted, because a count would be read as a score. */
function modulesFor(inventory: Record<InventoryKey, InventoryValue>): Guide['modules'] {
  return PATIENT_MODEL.modules.map((module) => ({
    ...module,
    inventory: module.needs.map((need) => ({ need, state: inventory[need] })),
  }));
}

const described = z.looseObject({
  id: z.string(),
  title: z.string(),
  reference: z.string(),
  year: z.int(),
  evidenceLevel: z.string(),
  pmid: z.string().regex(/^\d+$/).nullable(),
  doi: z.string().startsWith('10.').nullable(),
  finding: z.string(),
  immuneContext: z.string(),
  use: z.string(),
  unresolved: z.string(),
});
const fileSchema = z.strictObject({
  id: z.string(),
  note: z.string(),
  scope: z.string(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  references: z.array(z.looseObject({ id: z.string() })),
  branches: currentReferencesSchema.shape.branches,
});
type Branches = CurrentReferences['branches'];

/**
 * The dated references of data/curated/references.json. A reference without its own description takes that of the
 * research item with its id. Throws if a reference has none or both, or if a branch names one that is not listed.
 */
export function loadReferences(research: readonly ResearchItem[]): CurrentReferences {
  const file = new URL('../../data/curated/references.json', import.meta.url);
  const { id, scope, reviewed, nextReview, branches, ...content } = fileSchema.parse(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const items = new Map(research.map((item) => [item.id, item]));
  const references = content.references
    .map((entry) => {
      const item = items.get(entry.id);
      if ('title' in entry === (item !== undefined)) {
        throw new Error(`data/curated/references.json: ${entry.id} must be described in exactly one place`);
      }
      return referenceOf(described.parse({ ...item, ...entry }), branches);
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const ids = new Set(references.map((reference) => reference.id));
  if (ids.size !== references.length) throw new Error('data/curated/references.json names an id twice');
  const unknown = branches
    .flatMap((branch) => [...branch.references, ...branch.comparators])
    .filter((one) => !ids.has(one));
  if (unknown.length > 0) throw new Error(`data/curated/references.json has no reference ${unknown.join(', ')}`);
  const sorted = PATIENT_BRANCH_IDS.map((branch) => {
    const [found, other] = branches.filter((one) => one.id === branch);
    if (found !== undefined && other === undefined) return found;
    throw new Error(`data/curated/references.json must describe the branch ${branch} once`);
  });
  const { referencePolicy } = PATIENT_MODEL;
  return { id, reviewedOn: reviewed, nextReviewOn: nextReview, scope, references, branches: sorted, referencePolicy };
}

function referenceOf(source: z.output<typeof described>, branches: Branches): PatientReference {
  const { id, title, reference, year, pmid, doi, evidenceLevel, finding, immuneContext, use, unresolved } = source;
  const [url, supportingUrl] = [
    doi && `https://doi.org/${doi}`,
    pmid && `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`,
  ].filter((address) => address !== null);
  return {
    id,
    title,
    reference,
    publicationYear: year,
    ...(pmid === null ? {} : { pmid }),
    ...(doi === null ? {} : { doi }),
    ...(url === undefined ? {} : { url }),
    ...(supportingUrl === undefined ? {} : { supportingUrl }),
    sourceLevel: evidenceLevel,
    finding,
    immuneContext,
    use,
    unresolved,
    branches: branches.filter(({ references }) => references.includes(id)).map((branch) => branch.id),
  };
}
