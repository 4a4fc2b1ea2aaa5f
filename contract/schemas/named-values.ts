import { z } from 'zod';

interface NamedValues {
  /** What a value that is no object at all is told. */
  error: string;
  /** What the key `__proto__` is told; it names nothing anywhere. */
  unknownName: string;
  /** Most keys; any number without it. */
  max?: number;
}

/**
 * An object of values by names that the caller chooses. The key `__proto__` is refused: zod's record drops it without a word, so that
 * a filter or a number would be left out of the answer.
 */
export function namedValues<Value extends z.ZodType>(value: Value, { error, unknownName, max }: NamedValues) {
  return z.preprocess(
    (given, context) => {
      if (typeof given !== 'object' || given === null) return given;
      if (Object.hasOwn(given, '__proto__'))
        context.addIssue({ code: 'custom', path: ['__proto__'], message: unknownName });
      if (max === undefined || Object.keys(given).length <= max) return given;
      context.addIssue({ code: 'custom', message: `expected at most ${max} keys` });
      return undefined;
    },
    z.record(z.string(), value, { error }),
  );
}
