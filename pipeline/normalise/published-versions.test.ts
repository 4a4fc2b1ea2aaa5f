import { expect, test } from 'vitest';
import { canonicalStudy } from './published-versions.ts';

test('the day of the whole data set is left out; any other text of that name, and a study without it, stays as it is', () => {
  const on = (day: string, title = 'T'): string =>
    JSON.stringify({ title, derivedSection: { miscInfoModule: { versionHolder: day, submissionTracking: {} } } });
  expect(canonicalStudy(on('2026-11-21'))).toBe(canonicalStudy(on('2026-11-20')));
  expect(canonicalStudy(on('2026-11-20', 'U'))).not.toBe(canonicalStudy(on('2026-11-20')));
  for (const odd of [
    '{"versionHolder":"2026"}',
    '{"derivedSection":null}',
    '{"derivedSection":{"miscInfoModule":"2026"}}',
  ])
    expect(canonicalStudy(`\uFEFF ${odd}`)).toBe(odd);
});
