import { z } from 'zod';
import { WRITE_ERRORS } from '../../errors/operation-errors.ts';
import {
  COORDINATION_BODY_MAX_BYTES,
  KEY_BELIEVED_MAX_SECONDS,
  KEY_LIFE_DAYS,
  KEYS_LIVE_MAX_PER_GROUP,
} from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { textParameter } from '../../parameters.ts';
import { API_KEY_PREFIX, keyChangeSchema, keyCreateSchema, keySchema } from '../../schemas/key.ts';

const ID_MAX_CHARACTERS = 60;

const ownId = {
  id: textParameter(ID_MAX_CHARACTERS, "The key's own id, as a safeguard; any other id is refused.", {
    test: /^[A-Za-z0-9_]+$/,
    words: 'the id of the key in X-Api-Key',
  }).optional(),
};

export const createKey = defineOperation({
  id: 'keys-create',
  method: 'POST',
  path: '/api/v1/keys',
  summary: 'Create an API key',
  description: `A key raises the read quota and grants nothing else; every read and write works without one. The key is shown in this answer only and stored as a hash; send it as X-Api-Key. It lives ${KEY_LIFE_DAYS} days, extended by PATCH /api/v1/keys with extend true; one group of addresses (/24, /48) has at most ${KEYS_LIVE_MAX_PER_GROUP} live keys.`,
  whenToUse: 'When the anonymous read quota is too small; a key buys nothing else.',
  next: ['usage', 'keys-read'],
  server: 'board',
  names: { sdk: 'createKey' },
  effects: { repeats: true },
  bucket: 'coordination-write',
  body: keyCreateSchema,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  exampleBody: { label: 'weekly coverage run', rateLimit: 600 },
  output: keySchema.extend({
    key: z
      .string()
      .optional()
      .describe(`begins with ${API_KEY_PREFIX}; shown once; absent in a replay that withholds it`),
  }),
  statuses: [201, 200],
  errors: [
    'MISSING_LABEL',
    'INVALID_RATE_LIMIT',
    'INVALID_KEY',
    ...WRITE_ERRORS,
    'WRITE_RATE_LIMITED',
    'KEY_CREATE_FAILED',
  ],
});

const readKey = defineOperation({
  id: 'keys-read',
  method: 'GET',
  path: '/api/v1/keys',
  summary: 'Read the record of your API key',
  description: 'The record of the key in X-Api-Key; the key itself is not shown again.',
  whenToUse: 'To see the rate and the label of the key that you hold.',
  next: ['keys-change', 'usage', 'keys-revoke'],
  server: 'board',
  names: { sdk: 'getKey' },
  bucket: 'read',
  query: ownId,
  output: keySchema,
  errors: ['INVALID_PARAM', 'AUTH_REQUIRED', 'INVALID_KEY', 'FORBIDDEN', 'DB_ERROR'],
});

export const changeKey = defineOperation({
  id: 'keys-change',
  method: 'PATCH',
  path: '/api/v1/keys',
  summary: 'Change the label or rate limit of your API key, or extend it',
  description:
    'Changes the key in X-Api-Key. With extend true its end date moves. Gateways other than the one that was asked may apply the previous rate limit for up to a minute.',
  whenToUse: 'To rename a key, to change its rate, or to keep it past its end date.',
  next: ['keys-read'],
  server: 'board',
  names: { sdk: 'changeKey' },
  effects: { ends: true, repeats: true },
  bucket: 'coordination-write',
  body: keyChangeSchema,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  exampleBody: { rateLimit: 600 },
  output: keySchema,
  errors: [
    'AUTH_REQUIRED',
    'INVALID_KEY',
    'FORBIDDEN',
    'NO_UPDATES',
    'MISSING_LABEL',
    'INVALID_RATE_LIMIT',
    ...WRITE_ERRORS,
    'UPDATE_FAILED',
  ],
});

export const revokeKey = defineOperation({
  id: 'keys-revoke',
  method: 'DELETE',
  path: '/api/v1/keys',
  summary: 'Revoke your API key',
  description: `Revokes the key in X-Api-Key for good. The gateway that was asked refuses it at once; one on another machine may grant its rate for up to ${KEY_BELIEVED_MAX_SECONDS} s more, and refusedEverywhereBy says when that ends.`,
  whenToUse: 'When a key leaked or is no longer needed.',
  next: ['keys-create'],
  server: 'board',
  names: { sdk: 'revokeKey' },
  bucket: 'coordination-write',
  query: ownId,
  output: keySchema.extend({
    refusedEverywhereBy: z.iso
      .datetime({ precision: 6 })
      .describe('from then on no gateway takes the key; until then one on another machine may grant its rate'),
  }),
  errors: [
    'INVALID_PARAM',
    'AUTH_REQUIRED',
    'INVALID_KEY',
    'FORBIDDEN',
    'INVALID_IDEMPOTENCY_KEY',
    'IDEMPOTENCY_KEY_REUSED',
    'UPDATE_FAILED',
  ],
});

export const KEY_OPERATIONS = [createKey, readKey, changeKey, revokeKey] as const;
