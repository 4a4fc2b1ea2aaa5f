import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { LinesTogether } from './log.ts';

const MOST_BYTES = 400;

function kept() {
  const events: string[][] = [];
  const to = {
    write: (lines: string) => {
      const written = lines.trimEnd().split('\n');
      events.push(written.map((line) => (JSON.parse(line) as { msg: string }).msg));
    },
    flushSync: () => void events.push(['for good']),
  };
  return { events, log: pino({ level: 'info', base: null }, new LinesTogether(to, MOST_BYTES)) };
}

describe('the log of a server', () => {
  it('writes lines together, and none waits for long', async () => {
    const { events, log } = kept();
    log.info('one');
    log.info('two');
    expect(events).toEqual([]);
    await setTimeout(60);
    expect(events).toEqual([['one', 'two']]);
    log.info('three');
    await setTimeout(60);
    expect(events).toEqual([['one', 'two'], ['three']]);
  });

  it('writes no more bytes together than it may, whole lines only, and a longer line by itself', () => {
    const { events, log } = kept();
    // 46 bytes beside the text.
    const [half, long] = ['ä'.repeat(77), 'ä'.repeat(200)];
    for (const line of [half, half, 'one', half, long, 'two']) log.info(line);
    log.warn('three');
    expect(events).toEqual([[half, half], ['one', half], [long], ['two', 'three']]);
  });

  it('writes a warning at once, with what came before it, and a fatal line for good', () => {
    const { events, log } = kept();
    log.info('one');
    log.warn('two');
    log.error('three');
    log.fatal('four');
    expect(events).toEqual([['one', 'two'], ['three'], ['four'], ['for good']]);
  });
});
