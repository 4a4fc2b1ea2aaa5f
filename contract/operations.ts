import type { Operation } from './operation.ts';
import { ORIENTATION_OPERATIONS, PROBE_OPERATIONS } from './operations/orientation.ts';
import { REGISTRY_OPERATIONS } from './operations/registries.ts';
import { TRIAL_OPERATIONS } from './operations/trials.ts';

/** Every operation of the service, in the order in which the doors list them. */
export const OPERATIONS: readonly Operation[] = [
  ...ORIENTATION_OPERATIONS,
  ...TRIAL_OPERATIONS,
  ...REGISTRY_OPERATIONS,
  ...PROBE_OPERATIONS,
];

/** Operations that the index server answers. */
export const INDEX_OPERATIONS = [...TRIAL_OPERATIONS, ...REGISTRY_OPERATIONS] as const;

/** Operations that the board server answers. */
export const BOARD_OPERATIONS = [] as const;
