import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

export const getUsage = defineOperation({
  id: 'usage',
  method: 'GET',
  path: '/api/v1/usage',
  summary: 'Read your own request budget',
  description:
    'The limit, remainder and reset of every rate bucket for the caller, by address or by API key, and the requests counted today. This call counts as one read.',
  whenToUse: 'To see how many requests you have left before a long run.',
  next: ['keys-create'],
  server: 'gateway',
  names: { sdk: 'getUsage' },
  bucket: 'read',
  output: z.object({
    countedBy: z.enum(['address', 'key']).describe('what reads are counted by; writes are always counted by address'),
    keyId: z.string().nullable(),
    enforced: z.boolean().describe('false where the operator has switched rate limits off'),
    windowSeconds: z.int(),
    buckets: z.array(
      z.object({
        id: z.string(),
        countedBy: z.enum(['address', 'key']),
        limit: z.int().describe('requests a window'),
        remaining: z.int(),
        resetSeconds: z.int().describe('until the window rolls over; 0 while none has begun'),
        appliesTo: z.string(),
      }),
    ),
    requestsToday: z.object({
      count: z.int().describe('this request included'),
      day: z.iso.date().describe('UTC'),
      countedSince: z.iso.datetime().describe('counts in memory are lost when the gateway restarts'),
      heldIn: z.enum(['memory of this gateway', 'the store of all gateways']),
    }),
  }),
  errors: [],
});

export const USAGE_OPERATIONS = [getUsage] as const;
