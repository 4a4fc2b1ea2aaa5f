import { expect, test } from 'vitest';
import { OPERATIONS } from './operations.ts';
import { jsonSchemaOf } from './parameters.ts';

/** The values that a parameter lists. */
function valuesOf(schema: { enum?: unknown; items?: { enum?: unknown } }): string[] {
  return (schema.enum ?? schema.items?.enum ?? []) as string[];
}

test('no two values of a parameter differ in case or joins alone, since they are read in any', () => {
  let lists = 0;
  for (const { id, query = {} } of OPERATIONS) {
    for (const [name, schema] of Object.entries(query)) {
      const values = valuesOf(jsonSchemaOf(schema));
      if (values.length > 0) lists += 1;
      const folded = new Set(values.map((value) => value.toLowerCase().replaceAll(/[\s_-]+/g, '-')));
      expect([id, name, folded.size]).toEqual([id, name, values.length]);
    }
  }
  expect(lists).toBeGreaterThan(50);
});
