import { z } from 'zod';

/** What the bodies of actions share: a body whose only fault is its action is refused with a code of its own. */

/** Any text; whether the object has that action is for the handler to say, since its refusal is UNKNOWN_ACTION. */
export function actionName(actions: readonly string[], meaning: string) {
  return z.string({ error: `expected one of ${actions.join(', ')}` }).meta({ description: meaning, enum: actions });
}

/** Arguments of `refine`, to be its last: names an unknown action among the other faults of the body, where there are any. */
export function unknownActionBesideOthers(actions: readonly string[]) {
  const isKnown = ({ action }: { action: unknown }): boolean => typeof action !== 'string' || actions.includes(action);
  const fault = {
    path: ['action'],
    error: `expected one of ${actions.join(', ')}`,
    when: (payload: { value: unknown; issues: readonly unknown[] }): boolean =>
      isObject(payload) && payload.issues.length > 0,
  };
  return [isKnown, fault] as const;
}

/** `when` of a check that looks at several fields: also where one of them has a fault of its own. */
export function isObject({ value }: { value: unknown }): boolean {
  return value !== null && typeof value === 'object';
}

/** Whether a field was given with something in it; one of another type is a fault of its own. */
export function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
}
