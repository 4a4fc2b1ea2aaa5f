import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pairsOf } from '../../../test/builders/pairs.ts';
import { askedCountry, COUNTRY_NAMES, countryNames } from './countries.ts';

describe('countries of records', () => {
  test('home nations fold into United Kingdom once, in order of first appearance', () => {
    expect(countryNames(['Ireland', 'England', 'United Kingdom', 'Scotland', 'Wales', 'Northern Ireland'])).toEqual([
      'Ireland',
      'United Kingdom',
    ]);
  });

  test.each(
    pairsOf(`
    United States of America = United States | Korea, Republic of = South Korea | Korea, South = South Korea
    Turkey = Türkiye | Turkey (Türkiye) = Türkiye | Czech Republic = Czechia | Russian Federation = Russia
    Congo, Democratic Republic = Democratic Republic of the Congo | CÔTE D’IVOIRE = Côte d'Ivoire
    The Gambia = Gambia | Viet Nam = Vietnam | Jersey = Jersey | Hong Kong = Hong Kong | Korea = South Korea
    Korea (Democratic People's Republic of) = North Korea | FRANCE = France | germany  = Germany
    España = Spain | Türkiye (Republic of) = Türkiye | Turkiye, Republic of = Türkiye | T?rkiye = Türkiye
    Germany, Federal Republic of = Germany | Federal Democratic Republic of Ethiopia = Ethiopia
    Kingdom of the Netherlands = Netherlands | Republic of China = Taiwan | People's Republic of China = China
    Republic of the Congo = Republic of the Congo | Zaire = Democratic Republic of the Congo
    Czechia (Czech Republic) = Czechia | Trinidad & Tobago = Trinidad and Tobago
    Dominican Republic = Dominican Republic | Commonwealth of Dominica = Dominica
    Central African Republic = Central African Republic | USA (Texas) = United States
    Texas (USA) = United States | England (UK) = United Kingdom | Australia (New South Wales) = Australia
    Korea (North) = North Korea | Serbia and Montenegro = Serbia and Montenegro
    China (Taiwan) = China (Taiwan) | Georgia (Atlanta) = Georgia (Atlanta)
    Former Serbia and Montenegro = Former Serbia and Montenegro
    Socialist Federal Republic of Yugoslavia = Socialist Federal Republic of Yugoslavia
    Democratic Republic of Korea = Democratic Republic of Korea | America = America
  `),
  )('%s is %s in both registries', (raw, name) => {
    expect(countryNames([raw])).toEqual([name]);
  });
});

describe('several countries in one text of a record', () => {
  test.each(
    pairsOf(`
    France, Germany = France, Germany | Germany; Austria / Switzerland = Germany, Austria, Switzerland
    USA, Canada, and Bosnia and Herzegovina = United States, Canada, Bosnia and Herzegovina
    Kenya, Uganda and UK = Kenya, Uganda, United Kingdom | England, Wales = United Kingdom
    Korea, Republic of = South Korea | London, UK = London, UK | Georgia, USA = Georgia, USA
  `),
  )('%s', (raw, names) => {
    expect(countryNames([raw]).join(', ')).toBe(names);
  });
});

describe('countries that a caller names', () => {
  test.each(['countries.json', 'country-codes.json'])('%s gives each spelling to one country', (file) => {
    const text = readFileSync(new URL(`../../../data/rules/${file}`, import.meta.url), 'utf8');
    const countries = JSON.parse(text).countries as ({ name: string } & Record<string, string[]>)[];
    const wrong = countries.flatMap(({ name, aliases = [], parts = [], codes = [], askedAs = [] }) =>
      [...aliases, ...parts, ...codes, ...askedAs].filter((spelling) => askedCountry(spelling) !== name),
    );
    expect(wrong).toEqual([]);
  });

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
    expect(countryNames(['DE', 'KOR'])).toEqual(['DE', 'KOR']);
  });
});
