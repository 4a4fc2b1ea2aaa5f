import { argumentsOf } from './interfaces/arguments.ts';
import type { Operation } from './operation.ts';
import type { JsonSchema } from './parameters.ts';

/**
 * The operation's own example as flat arguments, typed as its schema says; values that only the caller knows stand in
 * angle brackets.
 */
export function exampleArguments(operation: Operation): Record<string, unknown> {
  const sent = new URLSearchParams(operation.example.split('?')[1] ?? '');
  const segments = operation.example.split('?')[0]!.split('/');
  const template = operation.path.split('/');
  const values: Record<string, unknown> = {};
  for (const { name, place, target, schema } of argumentsOf(operation)) {
    const inPath = segments[template.indexOf(`{${target}}`)] ?? '{}';
    const text = sent.get(target);
    if (place === 'path') values[name] = inPath.startsWith('{') ? `<${name}>` : decodeURIComponent(inPath);
    else if (place === 'query' && text !== null) values[name] = typed(text.replaceAll(/\{(\w+)\}/g, '<$1>'), schema);
  }
  return { ...values, ...operation.exampleBody };
}

/** A text of a query or a path as the JSON value that its schema says. */
export function typed(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'array' ? text.split(',') : text;
}
