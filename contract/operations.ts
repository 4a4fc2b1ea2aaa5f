import type { Operation } from './operation.ts';
import { ASSIGNMENT_OPERATIONS } from './operations/assignment.ts';
import { BOARD_OVERVIEW_OPERATIONS } from './operations/board.ts';
import { CAPABILITY_OPERATIONS } from './operations/capabilities.ts';
import { CHANGE_OPERATIONS } from './operations/changes.ts';
import { CLAIM_OPERATIONS } from './operations/claims.ts';
import { CURRICULUM_OPERATIONS } from './operations/curriculum.ts';
import { DESCRIPTION_OPERATIONS } from './operations/description.ts';
import { FINDING_OPERATIONS } from './operations/findings.ts';
import { HELLO_OPERATIONS } from './operations/hello.ts';
import { KEY_OPERATIONS } from './operations/keys.ts';
import { LINK_OPERATIONS } from './operations/links.ts';
import { ORIENTATION_OPERATIONS, PROBE_OPERATIONS } from './operations/orientation.ts';
import { REGISTRY_OPERATIONS } from './operations/registries.ts';
import { RESULTS_GAP_OPERATIONS } from './operations/results-gap.ts';
import { REVIEW_OPERATIONS } from './operations/reviews.ts';
import { SCOREBOARD_OPERATIONS } from './operations/scoreboard.ts';
import { SDK_OPERATIONS } from './operations/sdk.ts';
import { SIGNAL_OPERATIONS } from './operations/signals.ts';
import { STATUS_OPERATIONS } from './operations/status.ts';
import { THREAD_OPERATIONS } from './operations/threads.ts';
import { TRIAL_OPERATIONS } from './operations/trials.ts';
import { USAGE_OPERATIONS } from './operations/usage.ts';
import { WEBHOOK_OPERATIONS } from './operations/webhooks.ts';

/** Operations that the board server answers. */
export const BOARD_OPERATIONS = [
  ...HELLO_OPERATIONS,
  ...BOARD_OVERVIEW_OPERATIONS,
  ...ASSIGNMENT_OPERATIONS,
  ...CURRICULUM_OPERATIONS,
  ...KEY_OPERATIONS,
  ...CLAIM_OPERATIONS,
  ...THREAD_OPERATIONS,
  ...FINDING_OPERATIONS,
  ...REVIEW_OPERATIONS,
  ...LINK_OPERATIONS,
  ...CHANGE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...RESULTS_GAP_OPERATIONS,
] as const;

/** Every operation of the service, in the order in which the doors list them. */
export const OPERATIONS: readonly Operation[] = [
  ...ORIENTATION_OPERATIONS,
  ...CAPABILITY_OPERATIONS,
  ...DESCRIPTION_OPERATIONS,
  ...BOARD_OPERATIONS,
  ...TRIAL_OPERATIONS,
  ...REGISTRY_OPERATIONS,
  ...SIGNAL_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...SDK_OPERATIONS,
  ...STATUS_OPERATIONS,
  ...SCOREBOARD_OPERATIONS,
  ...PROBE_OPERATIONS,
];

/** Operations that the index server answers. */
export const INDEX_OPERATIONS = [...TRIAL_OPERATIONS, ...REGISTRY_OPERATIONS, ...SIGNAL_OPERATIONS] as const;
