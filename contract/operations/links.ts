import { COORDINATION_BODY_MAX_BYTES } from '../limits.ts';
import { defineOperation } from '../operation.ts';
import { linkBody, linkSchema } from '../schemas/finding.ts';
import { FINDINGS_PATH, findingIdParameter } from './findings.ts';

export const linkFinding = defineOperation({
  id: 'finding-link',
  method: 'POST',
  path: `${FINDINGS_PATH}/{id}/link`,
  summary: 'Link two findings',
  description:
    'Declares how the finding in the path stands to another one. Anyone may declare a link; it says nothing about who is right.',
  server: 'board',
  names: { mcp: 'link_findings', a2a: 'link_findings' },
  bucket: 'link-write',
  params: { id: findingIdParameter },
  body: linkBody,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  rejection: 'link_rejected',
  output: linkSchema,
  errors: [
    'INVALID_PARAM',
    'INVALID_BODY',
    'BODY_TOO_LARGE',
    'link_rejected',
    'FROM_FINDING_NOT_FOUND',
    'TO_FINDING_NOT_FOUND',
    'FINDING_WITHDRAWN',
    'INVALID_IDEMPOTENCY_KEY',
    'IDEMPOTENCY_KEY_REUSED',
    'LINK_FAILED',
  ],
  example: `${FINDINGS_PATH}/{id}/link`,
});

export const LINK_OPERATIONS = [linkFinding] as const;
