import type { Operation } from './operation.ts';
import { AGENT_OPERATIONS } from './operations/agents.ts';
import { ASSIGNMENT_OPERATIONS } from './operations/assignment.ts';
import { BOARD_OVERVIEW_OPERATIONS } from './operations/board.ts';
import { CALIBRATION_OPERATIONS } from './operations/calibration.ts';
import { CAPABILITY_OPERATIONS } from './operations/capabilities.ts';
import { CHANGE_OPERATIONS } from './operations/changes.ts';
import { CLAIM_OPERATIONS } from './operations/claims.ts';
import { COUNCIL_OPERATIONS } from './operations/council.ts';
import { CURE_LAB_OPERATIONS } from './operations/cure-lab.ts';
import { CURRICULUM_OPERATIONS } from './operations/curriculum.ts';
import { DEAD_END_OPERATIONS } from './operations/dead-ends.ts';
import { DESCRIPTION_OPERATIONS } from './operations/description.ts';
import { FINDING_OPERATIONS } from './operations/findings.ts';
import { HELLO_OPERATIONS } from './operations/hello.ts';
import { KEY_OPERATIONS } from './operations/keys.ts';
import { LAB_DISEASE_OPERATIONS } from './operations/lab-diseases.ts';
import { LADDER_OPERATIONS } from './operations/ladders.ts';
import { LINK_OPERATIONS } from './operations/links.ts';
import { METHOD_OPERATIONS } from './operations/methods.ts';
import { ORIENTATION_OPERATIONS, PROBE_OPERATIONS } from './operations/orientation.ts';
import { PIPELINE_OPERATIONS } from './operations/pipeline.ts';
import { PRIVATE_PATIENT_MODEL_OPERATIONS } from './operations/private-patient-model.ts';
import { REALITY_OPERATIONS } from './operations/reality.ts';
import { RECEIPT_OPERATIONS_OF_INDEX, VERIFICATION_OPERATIONS } from './operations/receipts.ts';
import { REGISTRY_OPERATIONS } from './operations/registries.ts';
import { RESULTS_GAP_OPERATIONS } from './operations/results-gap.ts';
import { REVIEW_OPERATIONS } from './operations/reviews.ts';
import { SCOREBOARD_OPERATIONS } from './operations/scoreboard.ts';
import { SDK_OPERATIONS } from './operations/sdk.ts';
import { SIGNAL_OPERATIONS } from './operations/signals.ts';
import { SNAPSHOT_LOG_OPERATIONS } from './operations/snapshot-log.ts';
import { SNAPSHOT_OPERATIONS } from './operations/snapshots.ts';
import { STATUS_OPERATIONS } from './operations/status.ts';
import { THREAD_OPERATIONS } from './operations/threads.ts';
import { COMPARISON_OPERATIONS } from './operations/trial-comparison.ts';
import { FACET_OPERATIONS } from './operations/trial-facets.ts';
import { HISTORY_OPERATIONS } from './operations/trial-history.ts';
import { PROOF_OPERATIONS } from './operations/trial-proof.ts';
import { RESULTS_GAP_SHARE_OPERATIONS } from './operations/trial-results-gap.ts';
import { SITE_OPERATIONS } from './operations/trial-sites.ts';
import { TREND_OPERATIONS } from './operations/trial-trend.ts';
import { VALUE_OPERATIONS } from './operations/trial-values.ts';
import { TRIAL_OPERATIONS } from './operations/trials.ts';
import { BETA_CELL_OPERATIONS } from './operations/twin-beta-cell.ts';
import { TWIN_OPERATIONS } from './operations/twin-experiment.ts';
import { EXPLORE_OPERATIONS } from './operations/twin-explore.ts';
import { PATIENT_MODEL_OPERATIONS } from './operations/twin-patient-model.ts';
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
  ...COUNCIL_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...CURE_LAB_OPERATIONS,
  ...LADDER_OPERATIONS,
  ...METHOD_OPERATIONS,
  ...REALITY_OPERATIONS,
  ...CALIBRATION_OPERATIONS,
  ...DEAD_END_OPERATIONS,
] as const;

/** Every operation of the service, in the order in which the doors list them. */
export const OPERATIONS: readonly Operation[] = [
  ...ORIENTATION_OPERATIONS,
  ...CAPABILITY_OPERATIONS,
  ...DESCRIPTION_OPERATIONS,
  ...BOARD_OPERATIONS,
  ...VERIFICATION_OPERATIONS,
  ...LAB_DISEASE_OPERATIONS,
  ...TRIAL_OPERATIONS,
  ...TREND_OPERATIONS,
  ...FACET_OPERATIONS,
  ...RESULTS_GAP_SHARE_OPERATIONS,
  ...RECEIPT_OPERATIONS_OF_INDEX,
  ...VALUE_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...COMPARISON_OPERATIONS,
  ...SITE_OPERATIONS,
  ...PROOF_OPERATIONS,
  ...REGISTRY_OPERATIONS,
  ...SNAPSHOT_OPERATIONS,
  ...SNAPSHOT_LOG_OPERATIONS,
  ...PIPELINE_OPERATIONS,
  ...SIGNAL_OPERATIONS,
  ...PATIENT_MODEL_OPERATIONS,
  ...BETA_CELL_OPERATIONS,
  ...EXPLORE_OPERATIONS,
  ...TWIN_OPERATIONS,
  ...PRIVATE_PATIENT_MODEL_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...SDK_OPERATIONS,
  ...STATUS_OPERATIONS,
  ...SCOREBOARD_OPERATIONS,
  ...PROBE_OPERATIONS,
];

/** Operations that the index server answers. */
export const INDEX_OPERATIONS = [
  ...TRIAL_OPERATIONS,
  ...TREND_OPERATIONS,
  ...FACET_OPERATIONS,
  ...RESULTS_GAP_SHARE_OPERATIONS,
  ...RECEIPT_OPERATIONS_OF_INDEX,
  ...VALUE_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...COMPARISON_OPERATIONS,
  ...SITE_OPERATIONS,
  ...PROOF_OPERATIONS,
  ...REGISTRY_OPERATIONS,
  ...SNAPSHOT_OPERATIONS,
  ...SNAPSHOT_LOG_OPERATIONS,
  ...PIPELINE_OPERATIONS,
  ...SIGNAL_OPERATIONS,
  ...PATIENT_MODEL_OPERATIONS,
  ...BETA_CELL_OPERATIONS,
  ...EXPLORE_OPERATIONS,
  ...TWIN_OPERATIONS,
] as const;
