import type { z } from 'zod';
import { PATIENT_MODEL } from '../../contract/declared/patient-model.ts';
import { INVENTORY_KEYS, INVENTORY_VALUES, type InventoryKey, type InventoryValue } from '../../contract/ids.ts';
import { pageOf } from '../../contract/interfaces/pages.ts';
import type {
  getPatientModel,
  PATIENT_MODEL_OPERATIONS,
} from '../../contract/operations/research/twin-patient-model.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import type { TwinServices } from './twin-services.ts';

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
