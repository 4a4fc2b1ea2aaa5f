import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';

const independence = (environment: Record<string, string>) => loadConfig(environment, '/root').independence;

describe('what a second voice needs', () => {
  it.each([
    [{}, 'name'],
    [{ HOST: 'localhost' }, 'name'],
    [{ HOST: '::1' }, 'name'],
    [{ HOST: '0.0.0.0' }, 'address'],
    [{ HOST: '192.0.2.1' }, 'address'],
    // A proxy on the same machine lets the world in.
    [{ TRUST_PROXY: '1' }, 'address'],
    [{ HOST: '0.0.0.0', INDEPENDENCE: 'name' }, 'name'],
    [{ INDEPENDENCE: 'address' }, 'address'],
  ])('%j is %s', (environment, expected) => {
    expect(independence(environment)).toBe(expected);
  });

  it('is refused in other words', () => {
    expect(() => independence({ INDEPENDENCE: 'group' })).toThrow('INDEPENDENCE: expected address or name');
  });
});
