import { describe, expect, test } from 'vitest';
import { addressGroup } from './address.ts';

describe('the group of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.250', '203.0.113.0/24'],
    ['203.0.114.7', '203.0.114.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::/64', '2001:db8:1::/48'],
    ['2001:db8:2:2::/64', '2001:db8:2::/48'],
    // An IPv4 address written as IPv6 is the IPv4 address.
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ])('%s belongs to %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  // Callers without a readable address are one voice together, never one each.
  test('a text that is no address is a group of its own', () => {
    expect(addressGroup('unknown')).toBe('unknown');
  });
});
