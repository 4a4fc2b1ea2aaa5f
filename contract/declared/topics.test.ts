import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { named } from '../fields/value-names.ts';
import { argumentsSchema } from '../interfaces/arguments.ts';
import { OPERATIONS } from '../operations.ts';
import { TOPIC_IDS, TOPIC_TITLES } from './topics.ts';

test('topics that schemas list are those of the reviewed file', () => {
  const { topics } = JSON.parse(readFileSync(new URL('../../data/topics.json', import.meta.url), 'utf8'));
  expect(TOPIC_IDS).toEqual(topics.map(({ id }: { id: string }) => id));
  for (const id of ['trials-search', 'trials-coverage', 'trials-landscape', 'trials-trend', 'results-gap-next']) {
    const { properties } = argumentsSchema(OPERATIONS.find((operation) => operation.id === id)!);
    expect(properties, id).toMatchObject({ topic: { type: 'string', enum: TOPIC_IDS } });
  }
});

test('topics are called in menus and filters as the reviewed file titles them', () => {
  const { topics } = JSON.parse(readFileSync(new URL('../../data/topics.json', import.meta.url), 'utf8'));
  const titles = topics.map(({ id, title }: { id: string; title: string }) => [id, title]);
  expect(Object.entries(TOPIC_TITLES)).toEqual(titles);
  expect(['iga-nephropathy', 'covid-19', 'alzheimers-disease', 'cardiovascular'].map(named)).toEqual([
    'IgA nephropathy',
    'COVID-19',
    "Alzheimer's disease",
    'Heart and circulation',
  ]);
});
