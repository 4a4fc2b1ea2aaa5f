import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LastMeta, WrittenMeta } from './written-meta.ts';

describe('a written _meta', () => {
  it('ends an envelope as JSON.stringify would write it', () => {
    const name = fc.string().filter((text) => text !== 'api');
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (members) => {
        const own = JSON.stringify({ api: 'trial-board' }).slice(0, -1);
        const envelope = `{"data":1,"_meta":${own}${new WrittenMeta(members, () => true).end}`;
        expect(JSON.parse(envelope)).toEqual({
          data: 1,
          _meta: JSON.parse(JSON.stringify({ api: 'trial-board', ...members })),
        });
      }),
      { examples: [[{}], [{ a: 'é\u2028"}}' }]] },
    );
  });

  it('is written again when anything that it depends on is another', () => {
    const [last, list] = [new LastMeta(), ['a']];
    const of = (...dependsOn: unknown[]): string =>
      last
        .of(
          dependsOn,
          () => ({ said: dependsOn.join(' ') }),
          () => true,
        )
        .end.toString();
    expect(of('v1', list)).toBe(',"said":"v1 a"}}');
    list.push('unseen');
    expect(of('v1', list)).toBe(',"said":"v1 a"}}');
    expect(of('v2', list)).toBe(',"said":"v2 a,unseen"}}');
    expect(of('v2', ['b'])).toBe(',"said":"v2 b"}}');
  });
});
