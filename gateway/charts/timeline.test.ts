import { describe, expect, it } from 'vitest';
import { type TimelineMark, timeline, timelineHeight } from './timeline.ts';

const day = (iso: string): number => Date.parse(iso) / 86_400_000;
const at = (iso: string, kind: TimelineMark['kind'], text?: string): TimelineMark => ({
  from: day(iso),
  to: day(iso),
  kind,
  ...(text === undefined ? {} : { text }),
});
const ROWS = [
  { title: 'Started', marks: [at('2015-06-01', 'actual', '1 June 2015')] },
  { title: 'Completion', marks: [at('2026-12-31', 'planned', '31 December 2026, planned')] },
  { title: 'Results', marks: [{ ...at('2018-01-01', 'overdue', 'overdue'), to: day('2026-11-26') }] },
];
const drawn = (width: number, rows = ROWS): string =>
  timeline(
    { rows, today: day('2026-11-26'), todayText: 'snapshot of 26 November 2026' },
    { label: 'Timeline', width, height: timelineHeight(rows.length, width) },
  );

describe('a timeline', () => {
  it('draws earlier days left of later ones, what is planned hollow, and a time as a bar', () => {
    const svg = drawn(358);
    const [started, completion] = [...svg.matchAll(/<circle cx="([\d.]+)"[^>]*fill="([^"]*)"/g)];
    expect(Number(started![1])).toBeLessThan(Number(completion![1]));
    expect([started![2], completion![2]]).toEqual(['var(--chart-1, #1f6feb)', 'var(--paper, #fff)']);
    expect(Number(svg.match(/<rect x="[\d.]+" y="\d+" width="([\d.]+)"/)![1])).toBeGreaterThan(358 / 3);
  });

  it('is drawn where everything is on one day, and escapes its words', () => {
    const svg = drawn(358, [{ title: 'Started <now>', marks: [at('2026-11-26', 'due', 'A & B')] }]);
    expect(svg).not.toContain('NaN');
    expect(svg).toContain('Started &lt;now&gt;');
    expect(svg).toContain('A &amp; B');
  });
});
