import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pairsOf } from '../../../test/builders/pairs.ts';
import { tokenKey } from './tokens.ts';
import { SPELLING_FAMILIES, spellFold } from './word-rules.ts';

const pairs = readFileSync(new URL('../testdata/spelling-pairs.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

test('all 373 clinical pairs of British and American spellings share their stated key', () => {
  expect(pairs).toHaveLength(373);
  const faults = pairs.filter(([british = '', american = '', , key]) => {
    return tokenKey(british) !== key || tokenKey(american) !== key;
  });
  expect(faults).toEqual([]);
});

test('each pair also holds in capitals and in the plain plural', () => {
  const faults = pairs.filter(([british = '', american = '']) => {
    return tokenKey(british.toUpperCase()) !== tokenKey(american.toUpperCase());
  });
  expect(faults).toEqual([]);
  expect(tokenKey('tumours')).toBe('tumor');
  expect(tokenKey('leucaemias')).toBe('leukemia');
  expect(tokenKey('multicentres')).toBe('multicenter');
});

describe('pairs beyond the list', () => {
  test.each(
    pairsOf(`
    radiolabelled = radiolabeled | catalogued = cataloged | cataloguing = cataloging | antiageing = antiaging
    microdiskectomy = microdiscectomy | aetiopathogenesis = etiopathogenesis | lysed = lyzed
    hydrolysable = hydrolyzable | recognisably = recognizably | manoeuvring = maneuvering
    unlicenced = unlicensed | leucapheresis = leukapheresis | tranquillity = tranquility
    subspeciality = subspecialty | hiccough = hiccup
  `),
  )('%s meets %s', (british, american) => {
    expect(tokenKey(british)).toBe(tokenKey(american));
  });
});

describe('false friends keep apart', () => {
  test.each(
    pairsOf(`
    prise = prize | prised = prized | apprise = apprize | maise = maize | seise = seize | assise = assize
    baise = baize | flexion = flection | tyre = tire | gage = gauge | storey = story | draught = draft
    cheque = check | kerb = curb | leucine = leukine
  `),
  )('%s is not %s', (one, other) => {
    expect(tokenKey(one)).not.toBe(tokenKey(other));
  });

  test.each(
    'flexion dorsiflexion aerobic anaerobic aerosol israel michael raphael does shoe toe coefficient poem phoenix chloe joel coexist hour four tour course contour journal disability leucine analyst'.split(
      ' ',
    ),
  )('%s is left as it is', (word) => {
    expect(spellFold(word)).toBe(word);
  });
});

test('every rule changes the example that it gives, and no family hides it', () => {
  const silent = SPELLING_FAMILIES.flatMap(({ needs, rules }) =>
    rules.filter(({ pattern, replacement, why }) => {
      const examples = why.match(/[a-z]+/g) ?? [];
      return !examples.some((word) => word.replace(pattern, replacement) !== word && needs.test(word));
    }),
  );
  expect(silent.map(({ why }) => why)).toEqual([
    // This rule changes only the output of an earlier rule.
    'second spelling of caesarean',
  ]);
});
