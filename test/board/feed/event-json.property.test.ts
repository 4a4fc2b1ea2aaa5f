import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chained, GENESIS_HASH, publicEvent, publicEventJson } from '../../../board-server/store/event-chain.ts';
import { toIso } from '../../../board-server/store/instants.ts';
import { EVENT_ABOUTS } from '../../../contract/event-abouts.ts';
import { plainEvent } from '../../support/plain/plain-event.ts';

const micros = fc.integer({ min: 0, max: 4_000_000_000_000_000 });
const text = fc.string({ unit: 'binary' });
const OWN_NAMES = ['ts', 'kind', 'action', 'id', 'agentName', 'about', 'subject', 'text', 'prevHash', 'hash'];

describe('the shortcuts of the feed', () => {
  it('write an event as JSON as its fields would be written, whatever agents put into it', () => {
    const data = fc.dictionary(
      text.filter((name) => !OWN_NAMES.includes(name)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        micros,
        fc.constantFrom(...EVENT_ABOUTS),
        text,
        text,
        text,
        data,
        (ts, about, action, id, name, said) => {
          const more = { action, objectId: id, agentName: name, data: said, text: name.repeat(2) };
          const row = chained(ts, { ...plainEvent(about, id), ...more }, GENESIS_HASH);
          expect(publicEventJson(row)).toBe(JSON.stringify(publicEvent(row)));
          expect(JSON.parse(publicEventJson(row))).toMatchObject({ id, agentName: name, hash: row.hash });
        },
      ),
    );
  });

  it('write a time as Date does, with three digits more', () => {
    const plain = (at: number) => {
      const milliseconds = Math.floor(at / 1000);
      const rest = String(at - milliseconds * 1000).padStart(3, '0');
      return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
    };
    fc.assert(
      fc.property(micros, (at) => {
        expect(toIso(at)).toBe(plain(at));
      }),
    );
    for (const at of [0, -1, 86_399_999_999, 86_400_000_000, 951_782_399_999_999, 951_782_400_000_000]) {
      expect(toIso(at)).toBe(plain(at));
    }
  });
});
