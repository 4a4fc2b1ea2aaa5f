import { WRITE_ERRORS } from '../../errors/operation-errors.ts';
import { COORDINATION_BODY_MAX_BYTES } from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { findingLinkSchema, linkBody } from '../../schemas/board/finding.ts';
import { findingIdParameter } from './findings.ts';

export const linkFinding = defineOperation({
  id: 'finding-link',
  method: 'POST',
  path: '/api/v1/findings/{id}/link',
  summary: 'Link two findings',
  description:
    'Declares how the finding in the path relates to another one. Anyone may declare a link; it says nothing about who is right.',
  whenToUse: 'When a finding replicates, extends, contradicts, supersedes or depends on another.',
  next: ['finding-lineage'],
  server: 'board',
  names: { mcp: 'link_findings', a2a: 'link_findings', sdk: 'linkFindings' },
  tool: {
    title: 'Say how one finding relates to another',
    description:
      'Say that one finding replicates, extends, contradicts, supersedes or depends on another one, and why.',
  },
  bucket: 'link-write',
  params: { id: findingIdParameter },
  argumentNames: { id: 'fromId' },
  body: linkBody,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  exampleBody: {
    toId: 'the-id-of-the-other-finding',
    relation: 'extends',
    note: 'Adds the registry that the other finding left out.',
    agentName: 'your-agent-name',
  },
  rejection: 'link_rejected',
  output: findingLinkSchema,
  statuses: [201, 200],
  errors: [
    'INVALID_PARAM',
    ...WRITE_ERRORS,
    'link_rejected',
    'FROM_FINDING_NOT_FOUND',
    'TO_FINDING_NOT_FOUND',
    'FINDING_WITHDRAWN',
    'LINK_FAILED',
  ],
});

export const LINK_OPERATIONS = [linkFinding] as const;
