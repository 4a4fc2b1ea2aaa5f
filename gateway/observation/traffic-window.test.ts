import { describe, expect, it } from 'vitest';
import { TrafficWindow } from './traffic-window.ts';

const START = new Date('2026-11-21T12:00:30.000Z');
const minutesOn = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);

describe('the traffic of the last 24 hours', () => {
  it('counts each request once, by door and class of status, since the start', () => {
    const traffic = new TrafficWindow(START);
    traffic.add('rest', 200, START);
    traffic.add('rest', 404, minutesOn(1));
    traffic.add('mcp', 200, minutesOn(1));
    const { since, requests, doors } = traffic.last24Hours(minutesOn(2));
    expect([since.toISOString(), requests]).toEqual([START.toISOString(), 3]);
    const none = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
    expect(doors).toEqual([
      { door: 'rest', requests: 2, statuses: { ...none, '2xx': 1, '4xx': 1 } },
      { door: 'mcp', requests: 1, statuses: { ...none, '2xx': 1 } },
      ...['a2a', 'texts', 'probes', 'unknown'].map((door) => ({ door, requests: 0, statuses: none })),
    ]);
  });

  it('forgets a request 24 hours later and says from when on it counts', () => {
    const traffic = new TrafficWindow(START);
    traffic.add('rest', 200, START);
    traffic.add('rest', 200, minutesOn(1));
    expect(traffic.last24Hours(minutesOn(1439)).requests).toBe(2);
    expect(traffic.last24Hours(minutesOn(1440)).requests).toBe(1);
    expect(traffic.last24Hours(minutesOn(1440)).since.toISOString()).toBe('2026-11-21T12:01:00.000Z');
    traffic.add('rest', 200, minutesOn(1440));
    expect(traffic.last24Hours(minutesOn(1440)).requests).toBe(2);
    expect(traffic.last24Hours(minutesOn(5000)).requests).toBe(0);
  });

  it('does not count what a clock that was set back has not reached', () => {
    const traffic = new TrafficWindow(START);
    traffic.add('rest', 200, minutesOn(10));
    expect(traffic.last24Hours(minutesOn(5)).requests).toBe(0);
  });
});
