import type { Operation } from './operation.ts';
import { AGENT_OPERATIONS } from './operations/board/agents.ts';
import { ASSIGNMENT_OPERATIONS } from './operations/board/assignment.ts';
import { BOARD_OVERVIEW_OPERATIONS } from './operations/board/board.ts';
import { CALIBRATION_OPERATIONS } from './operations/board/calibration.ts';
import { CHANGE_OPERATIONS } from './operations/board/changes.ts';
import { CLAIM_OPERATIONS } from './operations/board/claims.ts';
import { COUNCIL_OPERATIONS } from './operations/board/council.ts';
import { CURRICULUM_OPERATIONS } from './operations/board/curriculum.ts';
import { DEAD_END_OPERATIONS } from './operations/board/dead-ends.ts';
import { FINDING_OPERATIONS } from './operations/board/findings.ts';
import { LADDER_OPERATIONS } from './operations/board/ladders.ts';
import { LINK_OPERATIONS } from './operations/board/links.ts';
import { METHOD_OPERATIONS } from './operations/board/methods.ts';
import { ORIENTATION_OPERATIONS, PROBE_OPERATIONS } from './operations/board/orientation.ts';
import { REALITY_OPERATIONS } from './operations/board/reality.ts';
import { RESULTS_GAP_OPERATIONS } from './operations/board/results-gap.ts';
import { REVIEW_OPERATIONS } from './operations/board/reviews.ts';
import { SCOREBOARD_OPERATIONS } from './operations/board/scoreboard.ts';
import { THREAD_OPERATIONS } from './operations/board/threads.ts';
import { WEBHOOK_OPERATIONS } from './operations/board/webhooks.ts';
import { CURE_LAB_OPERATIONS } from './operations/research/cure-lab.ts';
import { LAB_DISEASE_OPERATIONS } from './operations/research/lab-diseases.ts';
import { BETA_CELL_OPERATIONS } from './operations/research/twin-beta-cell.ts';
import { TWIN_OPERATIONS } from './operations/research/twin-experiment.ts';
import { EXPLORE_OPERATIONS } from './operations/research/twin-explore.ts';
import { PATIENT_MODEL_OPERATIONS } from './operations/research/twin-patient-model.ts';
import { CAPABILITY_OPERATIONS } from './operations/service/capabilities.ts';
import { DESCRIPTION_OPERATIONS } from './operations/service/description.ts';
import { HELLO_OPERATIONS } from './operations/service/hello.ts';
import { KEY_OPERATIONS } from './operations/service/keys.ts';
import { PRIVATE_PATIENT_MODEL_OPERATIONS } from './operations/service/private-patient-model.ts';
import { SDK_OPERATIONS } from './operations/service/sdk.ts';
import { STATUS_OPERATIONS } from './operations/service/status.ts';
import { USAGE_OPERATIONS } from './operations/service/usage.ts';
import { PIPELINE_OPERATIONS } from './operations/trials/pipeline.ts';
import { RECEIPT_OPERATIONS_OF_INDEX, VERIFICATION_OPERATIONS } from './operations/trials/receipts.ts';
import { REGISTRY_OPERATIONS } from './operations/trials/registries.ts';
import { SIGNAL_OPERATIONS } from './operations/trials/signals.ts';
import { SNAPSHOT_LOG_OPERATIONS } from './operations/trials/snapshot-log.ts';
import { SNAPSHOT_OPERATIONS } from './operations/trials/snapshots.ts';
import { COMPARISON_OPERATIONS } from './operations/trials/trial-comparison.ts';
import { FACET_OPERATIONS } from './operations/trials/trial-facets.ts';
import { HISTORY_OPERATIONS } from './operations/trials/trial-history.ts';
import { PROOF_OPERATIONS } from './operations/trials/trial-proof.ts';
import { RESULTS_GAP_SHARE_OPERATIONS } from './operations/trials/trial-results-gap.ts';
import { SITE_OPERATIONS } from './operations/trials/trial-sites.ts';
import { TREND_OPERATIONS } from './operations/trials/trial-trend.ts';
import { VALUE_OPERATIONS } from './operations/trials/trial-values.ts';
import { TRIAL_OPERATIONS } from './operations/trials/trials.ts';

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
