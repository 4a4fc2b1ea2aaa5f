import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { servedFiles } from '../board/orientation.ts';

const instant = z.iso.datetime();

const failure = z.object({ at: instant, operation: z.string(), code: z.string() }).nullable();

const COMPONENT_STATES = ['up', 'down'] as const;

export const componentSchema = z.object({
  component: z
    .string()
    .describe(
      'gateway, rate-store where RATE_STORE names one, index, snapshot-store where versions come from one, board-server, board-file (board-database on PostgreSQL), change-feed or webhooks',
    ),
  state: z.enum(COMPONENT_STATES),
  detail: z.string(),
  since: instant.describe(
    'when it was first seen in this state without a break, at the earliest when its process started',
  ),
  uptimeSeconds: z.int().describe('since then; 0 while it is down'),
  lastFailure: failure.describe('its newest answer with a 5xx status; null when there was none'),
});

export const getStatus = defineOperation({
  id: 'status',
  method: 'GET',
  path: '/api/v1/status',
  summary: 'Read the health of the service',
  description:
    'Health and uptime of each component, the last failure, and when the files of the snapshot and the board were last proven. It answers 200 also when a component is down. GET /api/v1/freshness shows the age of the data.',
  whenToUse: 'When calls fail: it says which component is down, and since when.',
  next: ['freshness', 'scoreboard', 'errors'],
  server: 'gateway',
  names: { mcp: 'board_status', sdk: 'getStatus' },
  tool: {
    title: 'Whether the service is up',
    description:
      'Is the service up and healthy: which component is down and since when, the last failure, and when its files were last proven.',
  },
  bucket: 'read',
  output: z.object({
    state: z
      .enum(['up', 'degraded'])
      .describe('degraded: a component is down, or a snapshot is served in place of one that is refused'),
    startedAt: instant.describe('when the gateway started'),
    uptimeSeconds: z.int(),
    components: z.array(componentSchema),
    snapshot: z.object({
      version: z.string().nullable().describe('the one that is served; null while there is none'),
      ...servedFiles,
    }),
    board: z.object({
      writeProvenAt: instant
        .nullable()
        .describe('when the board last proved by a write that its file takes one; null: not known'),
    }),
    failures: z.int().describe('answers with a 5xx status since the start, of all components'),
    lastFailure: failure.describe('the newest of them; null when there was none'),
  }),
  errors: [],
});

export const STATUS_OPERATIONS = [getStatus] as const;
