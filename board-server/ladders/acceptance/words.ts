import type { AcceptanceRule } from '../../../contract/schemas/board/acceptance.ts';
import { excerpt } from '../../kit/excerpt.ts';

const QUOTED_MAX_CHARACTERS = 80;

/** A value as a reader can recognise it, short whatever its size. */
export function quoted(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === 'object') return `an object of ${Object.keys(value).length} keys`;
  if (typeof value === 'string') return JSON.stringify(excerpt(value, QUOTED_MAX_CHARACTERS).toWellFormed());
  return String(value);
}

/** A JSON value of a rule, cut where it is long. */
function printed(value: unknown): string {
  return excerpt(JSON.stringify(value).toWellFormed(), QUOTED_MAX_CHARACTERS * 2);
}

/** What a rule asks of the values at its path; follows "must". Texts of its author are quoted, so that none reads as a sentence of the service. */
export function demandOf(rule: AcceptanceRule): string {
  switch (rule.rule) {
    case 'required':
      return 'be there and not be null';
    case 'type':
      return rule.type === 'null' ? 'be null' : `be ${/^[aeiou]/.test(rule.type) ? 'an' : 'a'} ${rule.type}`;
    case 'min':
      return `be a number of ${rule.value} or more`;
    case 'max':
      return `be a number of ${rule.value} or less`;
    case 'length':
      return `be a text or list of length ${range(rule.min, rule.max)}`;
    case 'pattern':
      return `be a text that matches ${JSON.stringify(rule.pattern)}`;
    case 'oneOf':
      return `be one of ${printed(rule.values)}`;
    case 'equals':
      return `equal ${printed(rule.value)}`;
    case 'countAtLeast':
      return `be ${rule.count} or more in number`;
    case 'resolvesTo':
      return rule.to === 'finding'
        ? 'be the id of a finding that is not withdrawn'
        : 'be the id of a trial in the index: a canonical id, an NCT or ISRCTN number';
  }
}

/** A rule as a sentence. */
export function inWords(rule: AcceptanceRule): string {
  const all = rule.path.includes('[]') && rule.rule !== 'countAtLeast' ? 'every value at ' : '';
  const what = rule.rule === 'countAtLeast' ? `the values at ${rule.path}` : `${all}${rule.path}`;
  return `${what} must ${demandOf(rule)}`;
}

function range(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return `${min} or more`;
  if (min === undefined) return `${max} or less`;
  return min === max ? String(min) : `${min} to ${max}`;
}
