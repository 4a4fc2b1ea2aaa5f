import { describe, expect, it } from 'vitest';
import { pairsOf } from '../../test/builders/pairs.ts';
import { CONDITIONS } from './conditions.ts';
import { british } from './spelling.ts';

describe('British spelling of the sample', () => {
  it.each(
    pairsOf(`
    Hemophilia A = Haemophilia A | Iron Deficiency Anemia = Iron Deficiency Anaemia
    Gastroesophageal Reflux Disease = Gastro-oesophageal Reflux Disease
    Diabetic Macular Edema = Diabetic Macular Oedema | Labor Pain = Labour Pain
    a randomized program of counseling = a randomised programme of counselling
  `),
  )('%s becomes %s', (american, expected) => expect(british(american)).toBe(expected));

  it.each(['local laboratory', 'Colorectal Cancer', 'Collaboration'])('leaves "%s" alone', (text) =>
    expect(british(text)).toBe(text),
  );

  it('changes nothing the second time', () => {
    const once = [...CONDITIONS.map(({ name }) => british(name)), british('a program for the fetal esophagus')];
    expect(once.map(british)).toEqual(once);
  });

  it('keeps two conditions apart', () => {
    expect(new Set(CONDITIONS.map(({ name }) => british(name))).size).toBe(416);
  });
});
