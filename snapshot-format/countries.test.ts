import { describe, expect, test } from 'vitest';
import { askedCountry, COUNTRY_NAMES, countryNames } from './countries.ts';

describe('countries of records', () => {
  test('home nations fold into United Kingdom once, in order of first appearance', () => {
    expect(countryNames(['Ireland', 'England', 'United Kingdom', 'Scotland', 'Wales', 'Northern Ireland'])).toEqual([
      'Ireland',
      'United Kingdom',
    ]);
  });

  test.each([
    ['United States of America', 'United States'],
    ['Korea, Republic of', 'South Korea'],
    ['Korea, South', 'South Korea'],
    ['Turkey', 'Türkiye'],
    ['Turkey (Türkiye)', 'Türkiye'],
    ['Czech Republic', 'Czechia'],
    ['Russian Federation', 'Russia'],
    ['Congo, Democratic Republic', 'Democratic Republic of the Congo'],
    ['CÔTE D’IVOIRE', "Côte d'Ivoire"],
    ['The Gambia', 'Gambia'],
    ['Viet Nam', 'Vietnam'],
    ['Jersey', 'Jersey'],
    ['Hong Kong', 'Hong Kong'],
  ])('%s is %s in both registries', (raw, name) => {
    expect(countryNames([raw])).toEqual([name]);
  });
});

describe('countries that a caller names', () => {
  test.each([
    ['USA', 'United States'],
    ['us', 'United States'],
    ['U.S.A.', 'United States'],
    ['GB', 'United Kingdom'],
    ['GBR', 'United Kingdom'],
    ['Scotland', 'United Kingdom'],
    ['Korea', 'South Korea'],
    ['PRK', 'North Korea'],
    ['the netherlands', 'Netherlands'],
    ['deu', 'Germany'],
    ['TR', 'Türkiye'],
    ['Turkey (Türkiye)', 'Türkiye'],
    ['COTE D IVOIRE', "Côte d'Ivoire"],
    ['VNM', 'Vietnam'],
    ['Narnia', null],
    ['XX', null],
  ])('%s is %s', (text, name) => {
    expect(askedCountry(text)).toBe(name);
  });

  test('each of the 249 countries of ISO 3166-1 has a code that leads to it, and names that records use stay', () => {
    expect(COUNTRY_NAMES.length).toBeGreaterThanOrEqual(249);
    expect(COUNTRY_NAMES.filter((name) => askedCountry(name) !== name)).toEqual([]);
    // A code is no registry's word: a record that had one would keep it as it is.
    expect(countryNames(['DE', 'Korea'])).toEqual(['DE', 'Korea']);
  });
});
