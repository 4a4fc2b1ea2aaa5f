import { expect, it } from 'vitest';
import { asksForAdvice } from './clinical-advice.ts';

it.each([
  'what dose of metformin should I take?',
  'How much insulin do I need for a meal of 60 g?',
  'which is the best treatment for type 1 diabetes',
  'can my mother stop taking warfarin before surgery',
  'recommended dose of semaglutide',
  'how do I treat a migraine',
  'is teplizumab safe for my child',
])('%s asks for advice', (text) => {
  expect(asksForAdvice(text)).toBe(true);
});

it.each([
  'dose escalation',
  'type 1 diabetes',
  'how many phase 3 trials of metformin are there',
  'low-dose aspirin in pregnancy',
  'maximum tolerated dose',
  'which trials treat heart failure',
  'standard of care treatment',
])('%s asks for trials', (text) => {
  expect(asksForAdvice(text)).toBe(false);
});
