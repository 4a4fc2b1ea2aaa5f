import { z } from 'zod';
import {
  KEY_LIFE_DAYS,
  KEY_RATE_LIMIT_DEFAULT_PER_MINUTE,
  KEY_RATE_LIMIT_MAX_PER_MINUTE,
  KEY_RATE_LIMIT_MIN_PER_MINUTE,
} from '../limits/limits.ts';

/** What every API key begins with, so that one that leaked into a text can be recognised. */
export const API_KEY_PREFIX = 'tbk_';
/** The whole form: 32 random bytes as base64url after the prefix. */
export const API_KEY_PATTERN = /^tbk_[A-Za-z0-9_-]{43}$/;
/** A label is a reminder, not a document. */
const KEY_LABEL_MAX_CHARACTERS = 120;

/** What its holder sees of a key; the key itself is shown at creation only. */
export const keySchema = z.object({
  id: z.string().describe('names the key without revealing it'),
  label: z.string(),
  rateLimit: z.int().describe('reads a minute'),
  createdAt: z.iso.datetime({ precision: 6 }),
  updatedAt: z.iso.datetime({ precision: 6 }),
  expiresAt: z.iso
    .datetime({ precision: 6 })
    .describe(
      `from then on the key is dead; PATCH /api/v1/keys with extend true sets it ${KEY_LIFE_DAYS} days from now`,
    ),
  revokedAt: z.iso.datetime({ precision: 6 }).nullable().describe('null while the key is live'),
});
export type KeyRecord = z.output<typeof keySchema>;

const label = z
  .string({ error: 'expected text' })
  .refine((text) => [...text].length <= KEY_LABEL_MAX_CHARACTERS, {
    error: `expected at most ${KEY_LABEL_MAX_CHARACTERS} characters`,
  })
  .nullish()
  .describe('what the key is for, to its holder; no personal data is needed');

/** Any value passes here: the handler refuses a value that is not a whole number in the range with a code of its own. */
const rateLimit = z.unknown().meta({
  type: 'integer',
  minimum: KEY_RATE_LIMIT_MIN_PER_MINUTE,
  maximum: KEY_RATE_LIMIT_MAX_PER_MINUTE,
  description: `reads a minute; ${KEY_RATE_LIMIT_DEFAULT_PER_MINUTE} when left out at creation`,
});

export const keyCreateSchema = z.object({ label, rateLimit: rateLimit.optional() });

export const keyChangeSchema = z.object({
  id: z.string({ error: 'expected text' }).nullish().describe("the key's own id, as a safeguard; no other is accepted"),
  label,
  rateLimit: rateLimit.optional(),
  extend: z
    .boolean({ error: 'expected true or false' })
    .nullish()
    .describe(`true moves the end date to ${KEY_LIFE_DAYS} days from now`),
});
