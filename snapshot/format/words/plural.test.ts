import { describe, expect, test } from 'vitest';
import { pairsOf } from '../../../test/builders/pairs.ts';
import { tokenKey } from './tokens.ts';
import { singularKey } from './word-rules.ts';

describe('a simple plural meets its singular', () => {
  test.each(
    pairsOf(`
    therapies = therapy | ties = tie | calories = calorie | toes = toe | potatoes = potato
    processes = process | analyses = analysis | causes = cause | houses = house | viruses = virus
    cheeses = cheese | prostheses = prosthesis | doses = dose | glucoses = glucose | thromboses = thrombosis
    metastases = metastasis | candidiases = candidiasis | elastases = elastase
    bronchiectases = bronchiectasis | arthritides = arthritis | arthritises = arthritis | diseases = disease
    kinases = kinase | reflexes = reflex | headaches = headache | patches = patch | rashes = rash
    lenses = lens | gases = gas | psychoses = psychosis | carcinomata = carcinoma | children = child
    criteria = criterion | nuclei = nucleus | menisci = meniscus | indices = index | vertebrae = vertebra
    patients = patient
  `),
  )('%s = %s', (plural, singular) => {
    expect(singularKey(plural)).toBe(singularKey(singular));
  });
});

describe('words that only look like a plural keep apart', () => {
  test.each(
    pairsOf(`
    aids = aid | news = new | lens = len | bias = bia | tens = ten | ards = ard | pcos = pco | trans = tran
    mers = mer | sars = sar | gas = ga | glans = glan | marie = mary | julie = july | does = doe
    basis = base
  `),
  )('%s is not %s', (one, other) => {
    expect(singularKey(one)).not.toBe(singularKey(other));
  });

  test.each(
    'virus fetus lupus mellitus arthritis fibrosis psoriasis pancreas biceps sepsis atlas iris plus'.split(' '),
  )('%s is left as it is', (word) => {
    expect(singularKey(word)).toBe(word);
  });
});

describe('acronyms in their own case', () => {
  test.each(
    pairsOf(`
    SSRIs = ssri | TKIs = tki | NSAIDs = nsaid | ICUs = icu | CIs = ci | AIDS = aids | AIDs = aids
    SARs = sars | ARDS = ards
  `),
  )('%s has the key %s', (word, key) => {
    expect(tokenKey(word)).toBe(key);
  });

  test.each(['SSRI', 'SNRI', 'TKI', 'PPI', 'MRI', 'UTI', 'STI', 'PCI', 'MAOI', 'NRTI', 'ICU', 'NSAID'])(
    'the plural of %s is found in lower case too',
    (acronym) => {
      expect(tokenKey(`${acronym.toLowerCase()}s`)).toBe(tokenKey(`${acronym}s`));
      expect(tokenKey(`${acronym}s`)).toBe(acronym.toLowerCase());
    },
  );
});

test('a possessive, with or without its apostrophe, is the bare word', () => {
  for (const word of ["Crohn's", 'Crohn’s', 'Crohn´s', 'Crohns', "CROHN'S", 'Crohn'])
    expect(tokenKey(word)).toBe('crohn');
  expect(tokenKey("women's")).toBe('woman');
  expect(tokenKey("patients'")).toBe('patient');
});
