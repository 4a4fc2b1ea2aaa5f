import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { API_PREFIX } from '../version.ts';

const instant = z.iso.datetime();

export const COMPONENT_STATES = ['up', 'down'] as const;

export const componentSchema = z.object({
  component: z.string(),
  state: z.enum(COMPONENT_STATES),
  detail: z.string(),
  since: instant.describe(
    'when it was first seen in this state without a break, at the earliest when the process started',
  ),
});

export const getStatus = defineOperation({
  id: 'status',
  method: 'GET',
  path: `${API_PREFIX}/status`,
  summary: 'Read the health of the service',
  description:
    'Health and uptime of each component and the last failure. It answers 200 also when a component is down; the age of the data is another matter, read at GET /api/v1/freshness.',
  server: 'board',
  names: { mcp: 'get_api_status', sdk: 'getStatus' },
  bucket: 'read',
  output: z.object({
    state: z.enum(['up', 'degraded']).describe('degraded: a component is down'),
    startedAt: instant,
    uptimeSeconds: z.int(),
    components: z.array(componentSchema),
    failures: z.int().describe('answers with a 5xx status since the start'),
    lastFailure: z
      .object({ at: instant, operation: z.string(), code: z.string() })
      .nullable()
      .describe('the newest answer with a 5xx status since the start; null when there was none'),
  }),
  errors: ['DB_ERROR'],
  example: `${API_PREFIX}/status`,
});

export const STATUS_OPERATIONS = [getStatus] as const;
