import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutContactSection, withoutContacts, withoutEntities, withoutEscapes } from './prose.ts';

describe("the registry's escapes", () => {
  test.each([
    ['BMI \\>= 30 and \\<= 40', 'BMI >= 30 and <= 40'],
    ['\\[2\\^3\\] a\\_b \\~ 5 \\* 6 1\\. x\\-y \\|z\\|', '[2^3] a_b ~ 5 * 6 1. x-y |z|'],
    ['one \\\\ backslash', 'one \\ backslash'],
    ['a path C:\\temp stays', 'a path C:\\temp stays'],
    ['* a list\n    * within', '* a list\n    * within'],
  ])('%j reads as %j', (given, expected) => {
    expect(withoutEscapes(given)).toBe(expected);
  });

  test('escaping every mark of a text and resolving it gives the text again', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(withoutEscapes(text.replace(/[!-/:-@[-`{-~]/g, '\\$&'))).toBe(text);
      }),
    );
  });
});

describe('character references', () => {
  test.each([
    ['Smith &amp; Nephew', 'Smith & Nephew'],
    ['IL-2R&#945; &lt;50 ng/mL, caf&#xE9;', 'IL-2Rα <50 ng/mL, café'],
    ['&alpha;-synuclein &GreaterEqual;3 &micro;g &frac34; &#8321;', 'α-synuclein ≥3 µg ¾ ₁'],
    ['5&nbsp;mg&#160;a&#xa0;day', '5 mg a day'],
    ['once: &amp;gt;30 &amp;amp;#39;', 'once: &gt;30 &amp;#39;'],
    ['no semicolon: a &amp b, p &lt 0.05, &#39s', "no semicolon: a & b, p < 0.05, 's"],
    ['https://a.example/?a=1&copy=2&lang=en&reg=3', 'https://a.example/?a=1&copy=2&lang=en&reg=3'],
    ['R&D; 5 > 3, AT&T, &unknown;', 'R&D; 5 > 3, AT&T, &unknown;'],
    ['half &#xD800; and none &#0;', 'half \ufffd and none \ufffd'],
  ])('%j reads as %j', (given, expected) => {
    expect(withoutEntities(given)).toBe(expected);
  });

  test('behind a backslash they are read like those without', () => {
    expect(withoutEscapes(withoutEntities('HbA1c \\&lt; 7 &amp; the patient\\&#39;s \\&amp;gt;30%'))).toBe(
      "HbA1c < 7 & the patient's &gt;30%",
    );
  });
});

describe('what leads to a person is left out', () => {
  test.each([
    ['Write to jane.doe+trial@site.nhs.uk.', 'Write to [e-mail address left out].'],
    ['Tel: +44 (0)20 7946 0000, daily', '[telephone number left out], daily'],
    ['fax no. 0207 946-0000', '[telephone number left out]'],
    ['Mobile phone use for 12 months in 2,000,000 people', 'Mobile phone use for 12 months in 2,000,000 people'],
    ['10 mg @ 8 am; tel. 1', '10 mg @ 8 am; tel. 1'],
    ['Ask 844-555-0100', 'Ask [telephone number left out]'],
    [
      'contact 1-877-LETTERS (1-877-555-0100, 1-317-555-0101) or +44 20 7946 0000',
      'contact [telephone number left out] ([telephone number left out], [telephone number left out]) or [telephone number left out]',
    ],
    ['(555) 555-0100', '[telephone number left out]'],
    ['EudraCT 2008-005514-40, Site Number 8400002', 'EudraCT 2008-005514-40, Site Number 8400002'],
    ['U1111-1139-2991; NCT-2007-11-02-1003', 'U1111-1139-2991; NCT-2007-11-02-1003'],
    ['CD4+ 200 300 400 500; p 0.001-0.002-0.0030', 'CD4+ 200 300 400 500; p 0.001-0.002-0.0030'],
  ])('%j reads as %j', (given, expected) => {
    expect(withoutContacts(given)).toBe(expected);
  });

  test("ISRCTN's summary ends before its section on the main contact", () => {
    const summary = 'Background\nGout is painful.\n\nWho is the main contact?\nDr A Example\na@b.example';
    expect(withoutContactSection(summary)).toBe('Background\nGout is painful.');
    expect(withoutContactSection('Who is the main contact? Dr A Example')).toBeNull();
  });
});
