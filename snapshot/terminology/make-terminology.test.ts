import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { pairsOf } from '../../test/builders/pairs.ts';
import { textUnits } from '../format/words/tokens.ts';
import { BUNDLED_FILES, BUNDLED_FOLDER, bundledTerminology } from './make-terminology.ts';
import type { ReviewedTable as Reviewed } from './sources.ts';
import { readTerminology, type Terminology } from './terminology.ts';

let terms: Terminology;
let table: Reviewed;
beforeAll(async () => {
  table = JSON.parse(await readFile(new URL('../../data/rules/synonyms.json', import.meta.url), 'utf8')) as Reviewed;
  terms = readTerminology(await bundledTerminology());
});

function named(text: string): string[] {
  return terms.recognise(textUnits(text), text).map(({ concept }) => terms.concepts[concept]!.heading);
}

describe('the bundled terminology', () => {
  it('is at most one megabyte packed', async () => {
    const files = Object.values(BUNDLED_FILES).map((name) => readFile(new URL(name, BUNDLED_FOLDER)));
    const sizes = (await Promise.all(files)).map((file) => file.length);
    expect(sizes[0]! + sizes[1]!).toBeLessThanOrEqual(1_000_000);
  });

  it('has every heading that the reviewed table cuts or files elsewhere', () => {
    const headings = new Set(terms.concepts.map(({ heading }) => heading));
    const cut = table.cuts.flatMap(({ parent, without }) => [parent, ...without]);
    const filed = table.kinds.flatMap(({ parent, of }) => [parent, ...of]);
    expect([...cut, ...filed].filter((heading) => !headings.has(heading))).toEqual([]);
    const above = terms.broaderOf(terms.numberOf('D007948')!).map((place) => terms.concepts[place]!.heading);
    expect(above).toContain('Hematologic Neoplasms');
  });

  it('has each narrower name of the reviewed table as a concept of its own, below the heading', () => {
    const narrower = table.entries.flatMap((entry) => (entry.narrower ?? []).map((one) => ({ entry, one })));
    const wrong = narrower.flatMap(({ entry, one }) =>
      [one.heading, ...one.terms, ...(one.caseSensitive ?? [])].filter((term) => {
        const [found, ...others] = terms.recognise(textUnits(term), term);
        const above = terms.broaderOf(found?.concept ?? 0).map((place) => terms.concepts[place]!.heading);
        const isOwn = found !== undefined && terms.concepts[found.concept]!.heading === one.heading;
        return !isOwn || others.length > 0 || found.to !== textUnits(term).length || !above.includes(entry.heading);
      }),
    );
    expect([narrower.length > 90, wrong]).toEqual([true, []]);
  });

  it('has every heading that the reviewed table relates, and reads nearly every meaning of an abbreviation as one concept', () => {
    const headings = new Set(terms.concepts.map(({ heading }) => heading));
    expect(table.related.flatMap(({ of }) => of).filter((heading) => !headings.has(heading))).toEqual([]);
    const means = table.leftOut.flatMap((one) => one.means ?? []);
    const unread = means.filter((text) => {
      const units = textUnits(text);
      const [found] = terms.recognise(units, text);
      return found?.from !== 0 || found.to !== units.length;
    });
    expect(means.length).toBeGreaterThan(100);
    // These are asked for by their words.
    expect(unread).toEqual([
      ...['pectus excavatum', 'subjective cognitive decline', 'superficial vein thrombosis'],
      ...['total body irradiation', 'contrast-induced nephropathy', 'familial amyloid polyneuropathy'],
      ...['group B streptococcus', 'brentuximab vedotin', 'gestational trophoblastic neoplasia'],
      ...['heparin-induced thrombocytopenia', 'excessive daytime sleepiness', 'community-acquired pneumonia'],
      ...[
        'emergency department',
        'cervical myelopathy',
        'mismatch repair',
        'interpersonal therapy',
        'energy expenditure',
      ],
    ]);
  });

  it.each(
    pairsOf(`
    atopic dermatitis = Eczema | COVID-19 = Coronavirus Infections | acquired immunodeficiency syndrome = HIV
    heart transplant = Heart Diseases | bypass surgery of the heart = Heart Diseases
    haemodialysis = Kidney Failure, Chronic | amyloid cardiomyopathy = Cardiomyopathies | yoga = Exercise
    ramipril = Angiotensin-Converting Enzyme Inhibitors
  `),
  )('files %s under %s', (text, parent) => {
    const [found] = terms.recognise(textUnits(text), text);
    expect(terms.broaderOf(found!.concept).map((place) => terms.concepts[place]!.heading)).toContain(parent);
  });

  it.each([
    ['COVID-19', 'Lung Diseases'],
    ['dilated cardiomyopathy', 'Genetic Diseases, Inborn'],
    ['exercise capacity', 'Exercise'],
  ])('does not file %s under %s, nor does what the registry says', (text, parent) => {
    const [found] = terms.recognise(textUnits(text), text);
    expect(terms.broaderOf(found!.concept).map((place) => terms.concepts[place]!.heading)).not.toContain(parent);
    if (parent === 'Exercise') return;
    expect(terms.isCut(terms.numberOfHeading(parent)!, [found!.concept])).toBe(true);
  });

  it('states its sources with year and licence', () => {
    expect(terms.sources.map(({ id, year, licence }) => `${id} ${year}: ${licence}`)).toEqual([
      'mesh 2021: public domain; not the newest MeSH',
      'disease-ontology 2016: CC BY 3.0 at this release',
      'reviewed 2026: part of this project',
    ]);
    expect(terms.sources[0]!.terms).toBeGreaterThan(25_000);
    expect(terms.sources[1]!.terms).toBeGreaterThan(4_000);
    expect(terms.sources[2]!.terms).toBeGreaterThan(3_000);
  });

  it.each(
    pairsOf(`
    type I diabetes = Diabetes Mellitus, Type 1 | stenosis of the aortic valve = Aortic Valve Stenosis
    cancer of the prostate = Prostatic Neoplasms | T2DM = Diabetes Mellitus, Type 2
    heart attack = Myocardial Infarction | afib = Atrial Fibrillation | Farxiga = Dapagliflozin
    frusemide = Furosemide | gastro oesophageal reflux = Gastroesophageal Reflux
    TNF-α inhibitor = Tumor Necrosis Factor Inhibitors
    high blood pressure in pregnancy = Hypertension, Pregnancy-Induced
    non-small-cell lung cancer = Carcinoma, Non-Small-Cell Lung | leukaemia in children = Leukemia, Child
    PET in owners of pets = Positron-Emission Tomography
    exercise-based cardiac rehabilitation = Exercise, Cardiac Rehabilitation
    exercise capacity = Exercise Tolerance
    heart failure with mildly reduced or preserved ejection fraction = Heart Failure, Heart Failure, Diastolic
    SGLT2 inhibition = Sodium-Glucose Transporter 2 Inhibitors
    lumbar disk herniated = Intervertebral Disc Displacement
  `),
  )('reads %s', (query, headings) => {
    expect(named(query).join(', ')).toBe(headings);
  });

  it.each(['cold', 'AID', 'ER', 'BAY 1021189', 'single-arm', 'leads', 'EAGLES', 'disease', 'the MI of PE'])(
    'reads no concept in %s',
    (text) => {
      expect(named(text)).toEqual([]);
    },
  );
});
