import type { H3 } from 'h3';
import { BOARD_OPERATIONS } from '../contract/operations.ts';
import { HealthRecorder } from '../server-kit/health.ts';
import { type MountOptions, mount } from '../server-kit/mount.ts';
import { PooledCalibration } from './calibration/pooled.ts';
import { CandidateObserver } from './candidate-counts.ts';
import { SourceChecker } from './cure-lab/source-checker.ts';
import { FeedPages } from './feed-pages.ts';
import { agentHandlers } from './handlers/agents.ts';
import { assignmentHandlers } from './handlers/assignment.ts';
import { boardHandlers } from './handlers/board.ts';
import { calibrationHandlers } from './handlers/calibration.ts';
import { changeHandlers } from './handlers/changes.ts';
import { claimHandlers } from './handlers/claims.ts';
import { councilHandlers } from './handlers/council.ts';
import { cureLabHandlers } from './handlers/cure-lab.ts';
import { curriculumHandlers } from './handlers/curriculum.ts';
import { deadEndHandlers } from './handlers/dead-ends.ts';
import { findingHandlers } from './handlers/findings.ts';
import { helloHandlers } from './handlers/hello.ts';
import { keyHandlers } from './handlers/keys.ts';
import { ladderHandlers } from './handlers/ladders.ts';
import { linkHandlers } from './handlers/links.ts';
import { methodHandlers } from './handlers/methods.ts';
import { realityHandlers } from './handlers/reality.ts';
import { resultsGapHandlers } from './handlers/results-gap.ts';
import { reviewHandlers } from './handlers/reviews.ts';
import { threadHandlers } from './handlers/threads.ts';
import { webhookHandlers } from './handlers/webhooks.ts';
import { ResultsGapLedger } from './results-gap/ledger.ts';
import type { BoardServices } from './services.ts';
import { storedWebhooks } from './webhooks/open-webhooks.ts';

/** Registers the operations of the board on an app; returns what it remembers of their failures. */
export function mountBoard(app: H3, options: MountOptions<BoardServices>): HealthRecorder {
  const health = new HealthRecorder(options.now());
  const observer = new CandidateObserver();
  const ledger = new ResultsGapLedger();
  const pooled = new PooledCalibration();
  const webhooks = options.services.webhooks ?? storedWebhooks();
  mount(
    app,
    BOARD_OPERATIONS,
    {
      ...helloHandlers,
      ...boardHandlers,
      ...assignmentHandlers,
      ...curriculumHandlers,
      ...keyHandlers,
      ...claimHandlers,
      ...threadHandlers,
      ...findingHandlers,
      ...reviewHandlers,
      ...linkHandlers,
      ...changeHandlers,
      ...webhookHandlers,
      ...resultsGapHandlers,
      ...ladderHandlers,
      ...methodHandlers,
      ...councilHandlers,
      ...agentHandlers,
      ...cureLabHandlers,
      ...realityHandlers,
      ...calibrationHandlers,
      ...deadEndHandlers,
    },
    {
      ...options,
      services: Object.assign(options.services, {
        observer,
        webhooks,
        ledger,
        sourceChecker: new SourceChecker(),
        pooled,
        feedPages: new FeedPages(),
      }),
      onFailure: (failure) => health.record(failure),
    },
  );
  return health;
}
