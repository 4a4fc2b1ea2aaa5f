import type { RecordPlan } from './record-plan.ts';
import { AS_OF } from './templates.ts';
import { addDays, prose, renumbered, shifted } from './vary-text.ts';

/** Evenly spaced quantiles of the bytes that a real trial is longer than the template. */
const LONGER = [600, 1800, 2800, 3600, 4300, 5200];

/** A trial of the template's shape with numbers, dates and, for a real body, a length of its own. */
export function varyTrial(template: string, plan: RecordPlan): string {
  const { random, link, id } = plan;
  const own = /publicIdentifierCanonical="ISRCTN(\d{8})"/.exec(template)?.[1];
  if (own === undefined) throw new Error('a template of ISRCTN without its number: the sample is damaged');
  let text = shifted(renumbered(template, random), random.below(45)).replaceAll(own, id.slice('ISRCTN'.length));
  text = withText(text, 'clinicalTrialsGovNumber', (now) => link.other ?? (/\d/.test(now) ? 'Nil known' : now));
  text = withText(text, 'eudraCTNumber', (now) => link.eudract ?? (/\d/.test(now) ? '' : now));
  text = withText(text, 'protocolSerialNumber', (now) => (/U1111|NCT|ISRCTN/.test(now) ? '' : now));
  text = text.replace(/<secondaryNumber [^>]*numberType="(?!cpms)[^>]*>[^<]*<\/secondaryNumber>/g, '');
  text = withText(text, 'targetEnrolment', (now) => String(Number(now) + random.below(9)));
  if (plan.real) text = lengthened(text, plan);
  return plan.change !== null || plan.isNew ? updatedNextDay(text, plan) : text;
}

/** The first element of this name, empty or not, with another text. */
function withText(text: string, name: string, change: (now: string) => string): string {
  const element = new RegExp(`<${name}(?:/>|>([^<]*)</${name}>)`);
  return text.replace(element, (_, now = '') => {
    const next = change(now);
    return next === '' ? `<${name}/>` : `<${name}>${next}</${name}>`;
  });
}

function lengthened(text: string, { random, sentences }: RecordPlan): string {
  return withText(text, 'plainEnglishSummary', (now) => now + prose(sentences, random.quantile(LONGER), random));
}

function updatedNextDay(text: string, { change, isNew }: RecordPlan): string {
  const today = addDays(AS_OF, 1);
  let next = text.replace(/lastUpdated="[^"]*"/, `lastUpdated="${today}T10:00:00.000Z"`);
  if (isNew)
    next = next.replaceAll(/(dateAssigned|publicIdentifierDateAssigned)="[^"]*"/g, `$1="${today}T00:00:00.000Z"`);
  if (change === 'enrolment' || change === 'status')
    next = withText(next, 'targetEnrolment', (now) => String(Number(now) + 60));
  return change === 'dates' ? withText(next, 'overallEndDate', () => `${addDays(AS_OF, 120)}T00:00:00.000Z`) : next;
}
