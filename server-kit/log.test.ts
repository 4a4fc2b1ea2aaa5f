import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { LinesTogether } from './log.ts';

function kept() {
  const events: string[] = [];
  const to = {
    write: (line: string) => void events.push((JSON.parse(line) as { msg: string }).msg),
    flush: () => void events.push('flushed'),
    flushSync: () => void events.push('flushed for good'),
  };
  return { events, log: pino({ level: 'info' }, new LinesTogether(to)) };
}

describe('the log of a server', () => {
  it('writes lines together, and none waits for long', async () => {
    const { events, log } = kept();
    log.info('one');
    log.info('two');
    expect(events).toEqual(['one', 'two']);
    await setTimeout(60);
    expect(events).toEqual(['one', 'two', 'flushed']);
    log.info('three');
    await setTimeout(60);
    expect(events).toEqual(['one', 'two', 'flushed', 'three', 'flushed']);
  });

  it('writes a warning at once, with what came before it, and a fatal line for good', () => {
    const { events, log } = kept();
    log.info('one');
    log.warn('two');
    log.error('three');
    log.fatal('four');
    expect(events).toEqual(['one', 'two', 'flushed', 'three', 'flushed', 'four', 'flushed', 'flushed for good']);
  });
});
