import { type PathStep, pathSteps } from '../../../contract/schemas/board/acceptance.ts';

/** A value of an output, and how it was reached; the text of its path is only made where a verdict needs it. */
export interface Place {
  value: unknown;
  parent: Place | null;
  /** The key or index that led here from the parent. */
  step: string | number;
}

export interface Selection {
  found: readonly Place[];
  /** The first step that led nowhere, as a path; null where every step led somewhere. */
  missing: string | null;
  /** Values looked at on the way. */
  visits: number;
}

/**
 * The values at a path, in the order of the output. Reads own keys of plain objects and items of lists only, so no
 * inherited property is ever a value. Throws RangeError for a text that is no path.
 */
export function select(output: unknown, path: string): Selection {
  const steps = pathSteps(path);
  if (steps === null) throw new RangeError(`not a path: ${path}`);
  let found: Place[] = [{ value: output, parent: null, step: '' }];
  let missing: string | null = null;
  let visits = 1;
  for (const step of steps) {
    const next: Place[] = [];
    for (const place of found) {
      const before = next.length;
      if (!descend(place, step, next)) missing ??= pathTo(place, step);
      visits += 1 + next.length - before;
    }
    found = next;
  }
  return { found, missing, visits };
}

/** Adds what one step from a place leads to; false where it leads nowhere. */
function descend(place: Place, step: PathStep, to: Place[]): boolean {
  const { value } = place;
  if (step === 'each') {
    if (!Array.isArray(value)) return false;
    for (const [index, item] of value.entries()) to.push({ value: item, parent: place, step: index });
    return value.length > 0;
  }
  const name = 'key' in step ? step.key : step.index;
  const isList = Array.isArray(value);
  if (value === null || typeof value !== 'object' || isList !== (typeof name === 'number')) return false;
  if (!Object.hasOwn(value, name)) return false;
  to.push({ value: (value as Record<string | number, unknown>)[name], parent: place, step: name });
  return true;
}

/** The path of a place, with indexes; where a step is given, the path to which that step would lead from there. */
export function pathTo(place: Place, step?: PathStep): string {
  const names: (string | number)[] = [];
  for (let at: Place | null = place; at !== null && at.parent !== null; at = at.parent) names.push(at.step);
  const own = names.reverse().reduce<string>((text, name) => joined(text, name), '');
  if (step === undefined) return own;
  if (step === 'each') return `${own}[]`;
  return joined(own, 'key' in step ? step.key : step.index);
}

function joined(text: string, name: string | number): string {
  if (typeof name === 'number') return `${text}[${name}]`;
  return text === '' ? name : `${text}.${name}`;
}
