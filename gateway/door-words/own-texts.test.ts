import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../contract/operations.ts';
import { ANY_JSON, OWN_BESIDE_CALLS, OWN_LISTS, OWN_PARTS, OWN_TEXTS } from './own-texts.ts';

type Schema = Record<string, unknown>;
const VARIANTS = ['anyOf', 'oneOf', 'allOf'];

const variantsOf = (schema: Schema): Schema[] => VARIANTS.flatMap((name) => (schema[name] as Schema[]) ?? []);

/** Whether a value may be a text or a list of texts. */
function takesTexts(schema: Schema): boolean {
  if (schema.type === 'string' || schema.enum !== undefined || typeof schema.const === 'string') return true;
  if (schema.type === 'array' && takesTexts((schema.items ?? {}) as Schema)) return true;
  return variantsOf(schema).some(takesTexts);
}

/** Whether a value may be an object with names of the agent's own. */
function takesAnything(schema: Schema): boolean {
  const says = Object.keys(schema).filter((name) => !['description', 'examples', 'default', 'title'].includes(name));
  if (says.length === 0) return true;
  const more = schema.additionalProperties as Schema | boolean | undefined;
  if (schema.type === 'object' && more !== undefined && more !== false) return more === true || takesAnything(more);
  if (schema.type === 'array' && takesAnything((schema.items ?? {}) as Schema)) return true;
  return variantsOf(schema).some(takesAnything);
}

/** Names of fields that agents send, at any depth, whose values the test is true of. */
function sentFields(test: (schema: Schema) => boolean, passedOver: ReadonlySet<string> = new Set()): Set<string> {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, schema] of Object.entries((value as Schema).properties ?? {})) {
      if (test(schema as Schema)) names.add(name);
    }
    for (const [name, part] of Object.entries(value)) if (!passedOver.has(name)) walk(part);
  };
  for (const { body } of OPERATIONS) if (body !== undefined) walk(z.toJSONSchema(body, { io: 'input' }));
  return names;
}

describe('a field that is put into the words of a door', () => {
  const texts = sentFields(takesTexts);

  it('is none in which an agent can send a text', () => {
    // The measure works: these are agents' texts.
    for (const name of ['title', 'claim', 'body', 'note', 'endpointsUsed', 'steps'])
      expect(texts, name).toContain(name);
    const own = [...OWN_TEXTS, ...OWN_LISTS, ...OWN_PARTS, ...OWN_BESIDE_CALLS, 'call', 'calls', 'error', 'nextCalls'];
    expect(own.filter((name) => texts.has(name))).toEqual([]);
  });

  it('is never looked for inside JSON of an agent’s own shape', () => {
    // Nothing within such JSON is looked into.
    const free = [...sentFields(takesAnything, ANY_JSON)];
    expect(free).toContain('value');
    expect(free.filter((name) => !ANY_JSON.has(name))).toEqual([]);
  });
});
