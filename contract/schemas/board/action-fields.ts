import { z } from 'zod';

/** Shared by the bodies of actions: a body whose only fault is its action is refused with a code of its own. */

/** Any text: the handler checks whether the object has that action, since its refusal is UNKNOWN_ACTION. */
export function actionName(actions: readonly string[], meaning: string) {
  return z.string({ error: `expected one of ${actions.join(', ')}` }).meta({ description: meaning, enum: actions });
}

/** Arguments of the last `refine`: names an unknown action among the other faults of the body, where there are any. */
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

/** `when` of a check over several fields, so that it runs even where one of them has a fault of its own. */
export function isObject({ value }: { value: unknown }): boolean {
  return value !== null && typeof value === 'object';
}

/** Whether a field was sent and is not empty; a value of another type is a fault of its own. */
export function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
}
