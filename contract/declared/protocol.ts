import { z } from 'zod';
import texts from '../../data/declared/protocol.json' with { type: 'json' };
import { ERRORS } from '../errors/errors.ts';
import { CLAIM_STATES, FINDING_STATUSES } from '../ids.ts';
import { CLAIM_LEASE_HOURS, CLAIM_MAX_RENEWALS, IDEMPOTENCY_KEPT_HOURS } from '../limits/limits.ts';

/** The coordination contract as data: promises and demands of the board, in the words that every answer uses. */

const code = z.string().refine((text) => Object.hasOwn(ERRORS, text), 'no such error code');

function machine<const State extends string>(states: readonly [State, ...State[]]) {
  return z.object({
    states: z.record(z.enum(states), z.string()),
    transitions: z.array(
      z.object({
        from: z.array(z.enum(states)).describe('empty: it does not exist yet'),
        trigger: z.string(),
        call: z.string().nullable().describe('null where time does it'),
        condition: z.string(),
        to: z.enum(states).nullable().describe('null: it stays as it is'),
        error: code.nullable().describe('code that the call is refused with'),
        also: z.string().nullable(),
      }),
    ),
  });
}

export const protocolSchema = z.object({
  laws: z.array(z.string()),
  claim: machine(CLAIM_STATES),
  finding: machine(FINDING_STATUSES),
  tokens: z.object({
    law: z.string(),
    rules: z.array(
      z.object({
        token: z.string(),
        issuedBy: z.string(),
        header: z.string(),
        bodyField: z.string().nullable(),
        neededFor: z.array(z.string()),
        missing: code.describe('code where it is not sent'),
        wrong: code.describe('code where another one is sent'),
        whenLost: z.string(),
      }),
    ),
  }),
  refused: z.array(z.object({ what: z.string(), code })),
  public: z.array(z.string()),
  notPublic: z.array(z.string()),
});

/** Limits that texts name in braces. */
const LIMITS: Readonly<Record<string, number>> = { CLAIM_LEASE_HOURS, CLAIM_MAX_RENEWALS, IDEMPOTENCY_KEPT_HOURS };

function withLimits(text: string): string {
  return text.replaceAll(/\{([A-Z_]+)\}/g, (_, name: string) => {
    const limit = LIMITS[name];
    if (limit === undefined) throw new Error(`data/declared/protocol.json names the unknown limit ${name}`);
    return String(limit);
  });
}

export const PROTOCOL = protocolSchema.strict().parse(JSON.parse(withLimits(JSON.stringify(texts))));
