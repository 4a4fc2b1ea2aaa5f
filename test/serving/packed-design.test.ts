import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document } from '../../index-server/search/documents.ts';
import { packText, unpackText } from '../../snapshot/format/words/packed-text.ts';
import { registration, site } from '../builders/registration.ts';
import { buildImage } from '../builders/serving-image.ts';
import type { Corpus } from '../builders/snapshot-tables.ts';
import { ofFile } from '../support/of-file.ts';

const STUDY = registration('NCT00000026', {
  briefSummary: 'Ends with\n}}',
  whyStopped: 'Lines\nand }}] braces\u2028',
  sites: [site('France', 'Paris'), site('France', 'Lyon')],
  minimumAge: 18,
  secondaryIds: [{ id: '{}', type: null, domain: null, link: null, field: 'secondaryIdInfos' }],
});
const TRIAL = registration('ISRCTN12345678', { sites: [site('United Kingdom', 'Leeds')], minimumAge: 0.5 });
const CORPUS: Corpus = {
  trials: [{ canonicalId: 'wt_bbbbbbbbbbbb', aliases: [], registrations: [STUDY, TRIAL] }],
  identifiers: [],
  links: [],
  relations: [],
};
const FULL = { detail: 'full', eligibility: false } as const;

describe('the fields of the design in an image', () => {
  const built = ofFile(() => buildImage(CORPUS));

  it("stand in each registration of the trial's own record, as the last of its fields", () => {
    const text = document(built.image, 0, FULL).toString();
    expect(text).not.toContain('\n');
    const { registrations } = JSON.parse(text);
    expect(registrations[0].fields).toMatchObject({
      briefSummary: 'Ends with\n}}',
      whyStopped: 'Lines\nand }}] braces\u2028',
      secondaryIds: [{ id: '{}' }],
      sites: [{ city: 'Paris' }, { city: 'Lyon' }],
    });
    expect(registrations[1].fields).toMatchObject({ sites: [{ city: 'Leeds' }], eligibility: { minimumAge: 0.5 } });
    expect(Object.keys(registrations[0].fields).slice(-10)).toEqual([
      'primaryOutcomes',
      'secondaryOutcomes',
      'otherOutcomes',
      'design',
      'eligibility',
      'sites',
      'whyStopped',
      'ipdSharing',
      'documents',
      'secondaryIds',
    ]);
  });

  it('are packed beside the other fields, which modality reads of every trial', () => {
    const { image } = built;
    expect(image.slice(0, 'full').toString()).toContain('"briefSummary":');
    expect(image.slice(0, 'full').toString()).not.toContain('"sites":');
    const lines = unpackText(image.slice(0, 'design')).split('\n');
    expect(lines.map((line) => JSON.parse(`{${line}}`).sites.length)).toEqual([2, 1]);
  });
});

it('a text is unpacked as it was packed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(unpackText(packText(text))).toBe(text);
    }),
  );
});
