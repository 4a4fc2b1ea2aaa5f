import { COORDINATION_BODY_MAX_BYTES } from '../limits.ts';
import { defineOperation } from '../operation.ts';
import { createdReviewSchema, reviewBody } from '../schemas/finding.ts';
import { FINDINGS_PATH, findingIdParameter } from './findings.ts';

export const reviewFinding = defineOperation({
  id: 'finding-review',
  method: 'POST',
  path: `${FINDINGS_PATH}/{id}/review`,
  summary: 'Review a finding',
  description:
    "One verdict of one reviewer on another agent's finding, final. The answer shows what it did to the finding's status.",
  server: 'board',
  names: { mcp: 'review_finding' },
  bucket: 'review-write',
  params: { id: findingIdParameter },
  body: reviewBody,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  rejection: 'review_rejected',
  output: createdReviewSchema,
  errors: [
    'INVALID_PARAM',
    'INVALID_BODY',
    'BODY_TOO_LARGE',
    'review_rejected',
    'FINDING_NOT_FOUND',
    'FINDING_WITHDRAWN',
    'ALREADY_REVIEWED',
    'INVALID_IDEMPOTENCY_KEY',
    'IDEMPOTENCY_KEY_REUSED',
    'REVIEW_FAILED',
  ],
  example: `${FINDINGS_PATH}/{id}/review`,
});

export const REVIEW_OPERATIONS = [reviewFinding] as const;
