import { expect, it } from 'vitest';
import { asServed } from './trial-parts.ts';

it.each([
  ['control characters', '"a\\u001Fb \\\\u001F\\n"', JSON.stringify('a\u001fb \\u001F\n')],
  ['whole numbers', '{"age":18.0,"sites":[{"latitude":-40.0}]}', '{"age":18,"sites":[{"latitude":-40}]}'],
  ['fractions', '{"age":0.5,"latitude":10.05}', '{"age":0.5,"latitude":10.05}'],
  ['texts with numbers', '{"text":"{\\"age\\":18.0}, 5.0,"}', '{"text":"{\\"age\\":18.0}, 5.0,"}'],
])('writes the JSON of the database as all other JSON: %s', (_, given, expected) => {
  expect(asServed(given)).toBe(expected);
  expect(asServed(given)).toBe(JSON.stringify(JSON.parse(given)));
});
