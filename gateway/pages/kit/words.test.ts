import { expect, it } from 'vitest';
import { instant } from './words.ts';

it('an instant is written for people, with no more digits of a second in the element than HTML takes', () => {
  expect(instant('2026-11-22T09:39:27.123456Z').text).toBe(
    '<time datetime="2026-11-22T09:39:27.123Z">2026-11-22 09:39 UTC</time>',
  );
  expect(instant('2026-10-01').text).toBe('<time datetime="2026-10-01">2026-10-01</time>');
  expect(instant(null).text).toBe('<span class="soft">not stated</span>');
});
