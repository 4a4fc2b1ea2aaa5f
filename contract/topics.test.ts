import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { argumentsSchema } from './arguments.ts';
import { OPERATIONS } from './operations.ts';
import { TOPIC_IDS } from './topics.ts';

test('topics that schemas list are those of the reviewed file', () => {
  const { topics } = JSON.parse(readFileSync(new URL('../data/topics.json', import.meta.url), 'utf8'));
  expect(TOPIC_IDS).toEqual(topics.map(({ id }: { id: string }) => id));
  for (const id of ['trials-search', 'trials-coverage', 'trials-landscape', 'trials-trend', 'results-gap-next']) {
    const { properties } = argumentsSchema(OPERATIONS.find((operation) => operation.id === id)!);
    expect(properties, id).toMatchObject({ topic: { type: 'string', enum: TOPIC_IDS } });
  }
});
