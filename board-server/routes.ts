import type { H3 } from 'h3';
import { BOARD_OPERATIONS } from '../contract/operations.ts';
import { HealthRecorder } from '../server-kit/health.ts';
import { type MountOptions, mount } from '../server-kit/mount.ts';
import { agentHandlers } from './agents/handlers.ts';
import { calibrationHandlers } from './calibration/handlers.ts';
import { PooledCalibration } from './calibration/pooled.ts';
import { FeedPages } from './changes/feed-pages.ts';
import { changeHandlers } from './changes/handlers.ts';
import { claimHandlers } from './claims/handlers.ts';
import { councilHandlers } from './council/handlers.ts';
import { cureLabHandlers } from './cure-lab/handlers.ts';
import { SourceChecker } from './cure-lab/source-checker.ts';
import { deadEndHandlers } from './dead-ends/handlers.ts';
import { curriculumHandlers } from './declared-work/handlers.ts';
import { findingHandlers } from './findings/handlers.ts';
import { linkHandlers } from './findings/link-handlers.ts';
import { reviewHandlers } from './findings/review-handlers.ts';
import { keyHandlers } from './keys/handlers.ts';
import { ladderHandlers } from './ladders/handlers.ts';
import { methodHandlers } from './methods/handlers.ts';
import { assignmentHandlers } from './orientation/assignment-handlers.ts';
import { CandidateObserver } from './orientation/candidate-counts.ts';
import { helloHandlers } from './orientation/hello-handlers.ts';
import { boardHandlers } from './orientation/overview-handlers.ts';
import { realityHandlers } from './reality/handlers.ts';
import { resultsGapHandlers } from './results-gap/handlers.ts';
import { ReportLog } from './results-gap/report-log.ts';
import type { BoardServerServices } from './services.ts';
import { threadHandlers } from './threads/handlers.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import { storedWebhooks } from './webhooks/open-webhooks.ts';

/** Registers the operations of the board on an app; returns what it remembers of their failures. */
export function mountBoard(app: H3, options: MountOptions<BoardServerServices>): HealthRecorder {
  const health = new HealthRecorder(options.now());
  const observer = new CandidateObserver();
  const reportLog = new ReportLog(options.services.independence);
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
        reportLog,
        sourceChecker: new SourceChecker(),
        pooled,
        feedPages: new FeedPages(),
      }),
      onFailure: (failure) => health.record(failure),
    },
  );
  return health;
}
