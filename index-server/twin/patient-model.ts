import { z } from 'zod';
import { PATIENT_MODEL } from '../../contract/declared/patient-model.ts';
import { INVENTORY_KEYS, INVENTORY_VALUES, type InventoryKey, type InventoryValue } from '../../contract/ids.ts';
import { pageOf } from '../../contract/interfaces/pages.ts';
import type {
  getPatientModel,
  PATIENT_MODEL_OPERATIONS,
} from '../../contract/operations/research/twin-patient-model.ts';
import {
  type CurrentReferences,
  currentReferencesSchema,
  referenceSchema,
} from '../../contract/schemas/research/patient-model.ts';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';
import referencesFile from '../../data/curated/references.json' with { type: 'json' };
import type { Handlers } from '../../server-kit/mount.ts';

interface TwinServices {
  twin: { references: CurrentReferences };
}

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
    const { id, reviewedOn, scope, referencePolicy } = references;
    const { version, status, objectiveId, privateApi, dataRequirements, branches, tasks, rules } = PATIENT_MODEL;
    const path = '/api/v1/twin/patient-model';
    return {
      data: {
        ...{ version, path, page: pageOf('page-patient-model').path },
        ...{ status, objectiveId, scope: PATIENT_MODEL.scope, privateApi },
        currentReferences: { path: `${path}/references`, reviewedOn, references: references.references.length },
        inventorySchema: INVENTORY_SCHEMA,
        dataRequirements,
        modules: modulesFor(query),
        branches,
        referenceSnapshot: { id, reviewedOn, scope, references: references.references },
        ...{ referencePolicy, tasks, rules },
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

/** A reference of data/curated/references.json, or the research item with its id, as it is reviewed. */
const reviewedSchema = z.object({
  ...referenceSchema.pick({ id: true, title: true, reference: true, finding: true, unresolved: true }).shape,
  ...referenceSchema.pick({ immuneContext: true, use: true }).shape,
  year: z.int(),
  evidenceLevel: z.string(),
  pmid: z.string().regex(/^\d+$/).nullable(),
  doi: z.string().startsWith('10.').nullable(),
});

/**
 * The dated references of data/curated/references.json. A reference without its own description takes that of the
 * research item with its id. Throws if a reference has none, or if a branch names one that is not listed.
 */
export function loadReferences(research: readonly ResearchItem[]): CurrentReferences {
  const { reviewed: reviewedOn, nextReview: nextReviewOn, ...file } = referencesFile;
  const { referencePolicy } = PATIENT_MODEL;
  const items = new Map(research.map((item) => [item.id, item]));
  const references = file.references.map((entry) => {
    const reviewed = reviewedSchema.parse({ ...items.get(entry.id), ...entry });
    const { year: publicationYear, evidenceLevel: sourceLevel, pmid, doi, ...texts } = reviewed;
    const addresses = [doi && `https://doi.org/${doi}`, pmid && `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`];
    const [url, supportingUrl] = addresses.filter((address) => address !== null);
    const branches = file.branches.filter((branch) => branch.references.includes(entry.id)).map(({ id }) => id);
    const known = { pmid: pmid ?? undefined, doi: doi ?? undefined, url, supportingUrl };
    return { ...texts, publicationYear, ...known, sourceLevel, branches };
  });
  const unknown = file.branches
    .flatMap((branch) => [...branch.references, ...branch.comparators])
    .filter((id) => !references.some((reference) => reference.id === id));
  if (unknown.length > 0) throw new Error(`data/curated/references.json has no reference ${unknown.join(', ')}`);
  return currentReferencesSchema.parse({ ...file, reviewedOn, nextReviewOn, references, referencePolicy });
}
