import { expect, test } from 'vitest';
import { phaseAsked, registryAsked, sponsorClassAsked, statusAsked, topicAsked } from './registry-words.ts';

test.each([
  ['PHASE2', '2'],
  ['PHASE1/PHASE2', '1-2'],
  ['PHASE2|PHASE3', '2-3'],
  ['Phase I/II', '1-2'],
  ['EARLY_PHASE1', 'early-1'],
  ['Early Phase 1', 'early-1'],
  ['Phase 0', 'early-1'],
  ['NA', 'not-applicable'],
  ['N/A', 'not-applicable'],
  ['not-stated', 'not-stated'],
])('the phase %s is asked for as %s', (text, phase) => {
  expect(phaseAsked(text)).toBe(phase);
});

test.each([
  ['RECRUITING', 'recruiting'],
  ['ACTIVE_NOT_RECRUITING', 'active_not_recruiting'],
  ['Not yet recruiting', 'not_yet_recruiting'],
  ['No longer recruiting', 'active_not_recruiting'],
  ['Ongoing', 'running'],
  ['Stopped', 'terminated'],
  ['constructor', 'constructor'],
])('the status %s is asked for as %s', (text, status) => {
  expect(statusAsked(text)).toBe(status);
});

test.each([
  ['INDUSTRY', 'industry'],
  ['NIH', 'nih'],
  ['FED', 'federal'],
  ['OTHER_GOV', 'government'],
  ['INDIV', 'individual'],
  ['Unknown', 'unknown'],
  ['charity', 'charity'],
  ['constructor', 'constructor'],
])('the class of sponsor %s is asked for as %s', (text, sponsorClass) => {
  expect(sponsorClassAsked(text)).toBe(sponsorClass);
});

test.each([
  ['ctgov', 'clinicaltrials_gov'],
  ['ClinicalTrials.gov', 'clinicaltrials_gov'],
  ['CT.gov', 'clinicaltrials_gov'],
  ['NCT', 'clinicaltrials_gov'],
  ['EU', 'EU'],
  ['constructor', 'constructor'],
])('the registry %s is asked for as %s', (text, registry) => {
  expect(registryAsked(text)).toBe(registry);
});

test.each([
  ['Oncology', 'oncology'],
  ['Type 1 diabetes', 'type-1-diabetes'],
  ['TYPE_1_DIABETES', 'type-1-diabetes'],
])('the topic %s is asked for as %s', (text, topic) => {
  expect(topicAsked(text)).toBe(topic);
});
