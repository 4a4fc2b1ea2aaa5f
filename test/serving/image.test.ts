import { hash } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trialListItemSchema, trialSchema } from '../../contract/schemas/trials/trial.ts';
import { document, documents } from '../../index-server/search/documents.ts';
import { divisionOf, heldRow, resolveId } from '../../index-server/search/hints/held-trial.ts';
import type { CountedSearch } from '../../index-server/search/hints/hint.ts';
import { identifierHints, unheldId } from '../../index-server/search/hints/identifier.ts';
import { openSnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { buildServingImage } from '../../pipeline/publish/serving/build-serving-image.ts';
import { CORPUS } from '../builders/image-corpus.ts';
import { registration } from '../builders/registration.ts';
import { buildImage, quietEffects } from '../builders/serving-image.ts';
import { ofFile } from '../support/of-file.ts';

describe('serving image', () => {
  const built = ofFile(() => buildImage(CORPUS));

  it('serves every record in the shape of the contract, in lists and by itself', async () => {
    const { image } = built;
    const rows = [0, 1, 2];
    for (const eligibility of [true, false]) {
      const list = JSON.parse(documents(image, rows, { detail: 'brief', eligibility }).toString());
      expect(list.map((trial: unknown) => trialListItemSchema.parse(trial))).toEqual(list);
    }
    const full = rows.map((row) => JSON.parse(document(image, row, { detail: 'full', eligibility: true }).toString()));
    expect(full.map((trial) => trialSchema.parse(trial))).toEqual(full);
    expect(full[1]).toMatchObject({
      canonicalId: 'wt_bbbbbbbbbbbb',
      aliases: ['wt_oldoldoldold'],
      registries: ['clinicaltrials_gov', 'isrctn'],
      status: 'completed',
      eligibilityText: 'Inclusion: "any" child',
      identifiers: [
        {
          type: 'eudract',
          value: '2008-005514-40',
          inIndex: false,
          role: 'declared',
          declaredBy: ['NCT00000026', 'ISRCTN12345678'],
          canonicalId: null,
        },
        {
          type: 'isrctn',
          value: 'ISRCTN12345678',
          inIndex: true,
          role: 'own',
          declaredBy: ['ISRCTN12345678'],
          canonicalId: 'wt_bbbbbbbbbbbb',
        },
        {
          type: 'nct',
          value: 'NCT00000026',
          inIndex: true,
          role: 'own',
          declaredBy: ['NCT00000026', 'ISRCTN12345678'],
          canonicalId: 'wt_bbbbbbbbbbbb',
        },
      ],
      citation: {
        text: 'ClinicalTrials.gov NCT00000026; ISRCTN registry ISRCTN12345678: Gastro-oesophageal reflux in children with tumours. Last updated 2026-03-05; retrieved 2026-11-20.',
        verifyAt: 'https://clinicaltrials.gov/study/NCT00000026',
      },
      registrations: [
        { id: 'NCT00000026', fields: { statusRaw: 'COMPLETED' } },
        { id: 'ISRCTN12345678', fields: { status: 'running' } },
      ],
    });
  });

  it('shows a rejected link and the typed relation on both trials, each with the other trial', async () => {
    const trials = JSON.parse(documents(built.image, [0, 2], { detail: 'brief', eligibility: false }).toString());
    const relation = {
      kind: 'related',
      reason: 'ambiguous',
      from: 'ISRCTN87654323',
      to: 'NCT00000052',
      linkId: 'ln_two',
    };
    expect(trials.map((trial: { relations: unknown }) => trial.relations)).toEqual([
      [{ ...relation, canonicalId: 'wt_cccccccccccc' }],
      [{ ...relation, canonicalId: 'wt_aaaaaaaaaaaa' }],
    ]);
    expect(trials[0].evidence).toMatchObject([
      { linkId: 'ln_two', verdict: 'rejected', reason: 'ambiguous', conflict: true },
    ]);
  });

  it('leads canonical ids, former ones, record numbers, their aliases and declared numbers to the trial, mentions nowhere', async () => {
    const { image } = built;
    expect(resolveId(image, 'wt_bbbbbbbbbbbb')).toEqual({ standing: 'canonical', rows: [1] });
    expect(resolveId(image, 'wt_oldoldoldold')).toEqual({ standing: 'alias', rows: [1] });
    expect(resolveId(image, 'nct 00000026')).toEqual({ standing: 'registration', rows: [1] });
    expect(resolveId(image, 'NCT00000039')).toEqual({ standing: 'registration', rows: [1] });
    expect(resolveId(image, 'https://www.isrctn.com/ISRCTN12345678')).toEqual({ standing: 'registration', rows: [1] });
    expect(resolveId(image, '2008-005514-40-GB')).toEqual({ standing: 'declared', rows: [1] });
    expect(resolveId(image, 'rg 0367-23')).toEqual({ standing: 'sponsor-code', rows: [1] });
    expect(heldRow(image, 'RG 0367-23')).toBeNull();
    expect(resolveId(image, 'NCT99999990')).toEqual({ standing: 'declared', rows: [2] });
    expect(heldRow(image, 'NCT99999990')).toBeNull();
    expect(unheldId(image, 'NCT99999990').message).toContain(
      'not held: no registration here has it. It is only stated by',
    );
    expect(resolveId(image, 'NCT99999977')).toBeNull();
    expect(resolveId(image, '')).toBeNull();
  });

  const hintsOn = (q: string) => identifierHints({ image: built.image, query: { q }, total: 0 } as CountedSearch);

  it.each([['NCT000026', 'NCT00000026']])(
    'names for %s, a number with zeros lost or added, the near one that is held',
    (id, held) => {
      expect(unheldId(built.image, id).hint).toContain(`GET /api/v1/trials/${held}.`);
    },
  );

  it.each([
    ['nct 002715', 'an NCT number has 8 digits; this one has 6'],
    ['ISRCTN1234567', 'an ISRCTN number has 8 digits; this one has 7', 'ISRCTN12345678'],
  ])('says of %s which digits are missing or too many', (id, told, near?: string) => {
    const { message, hint } = unheldId(built.image, id);
    expect(message).toBe(`${id} is not understood: ${told}. No record states it as it stands.`);
    if (near === undefined) expect(hint).toBeUndefined();
    else expect(hint).toContain(`GET /api/v1/trials/${near}.`);
    expect(hintsOn(id)[0]?.sentence).toContain(message);
  });

  it('takes a date or the code of a sponsor for no number of a registry', () => {
    for (const id of ['2008-05-14', '123-45678-90', 'ABC1234567']) expect(hintsOn(id)).toEqual([]);
  });

  it('names none where no near number is held, and for a number of eight digits', () => {
    for (const id of ['NCT000027', 'NCT00000027', 'NCT00000000000026', 'what']) {
      expect(unheldId(built.image, id).hint).toBeUndefined();
    }
  });

  it('leads a divided id to both trials, and says why it names neither', async () => {
    const [pace, diabetes, ...others] = CORPUS.trials;
    const aliases = ['wt_dddddddddddd'];
    await using divided = await buildImage({
      ...CORPUS,
      trials: [{ ...pace!, aliases }, { ...diabetes!, aliases }, ...others],
    });
    const { image } = divided;
    expect(resolveId(image, 'wt_dddddddddddd')?.standing).toBe('divided');
    expect(resolveId(image, 'wt_dddddddddddd')?.rows).toHaveLength(2);
    expect(heldRow(image, 'wt_dddddddddddd')).toBeNull();
    const { message } = divisionOf(image, 'wt_dddddddddddd');
    expect(message).toContain('wt_bbbbbbbbbbbb (NCT00000026 with ISRCTN12345678)');
    expect(message).toContain('wt_aaaaaaaaaaaa (');
    expect(message).toContain('came to stand with another partner');
    expect(divisionOf(image, 'wt_bbbbbbbbbbbb')).toEqual({});
  });

  it('leads a number that two trials have among their earlier ones to none, and names both', async () => {
    const claimed = {
      type: 'nct',
      value: 'NCT00000065',
      role: 'alias',
      field: 'nctIdAliases',
      rawValue: 'NCT00000065',
    } as const;
    const trials = ['NCT00000013', 'NCT00000026'].map((id, place) => ({
      ...{ canonicalId: `wt_${'ab'[place]!.repeat(12)}`, aliases: [] },
      registrations: [registration(id, { aliases: ['NCT00000065'] })],
    }));
    const identifiers = trials.map(({ registrations: [one] }) => ({
      ...{ ...claimed, registry: one!.registry, registrationId: one!.id },
      ...{ suspect: false, inIndex: false, resolvesTo: null },
    }));
    await using built = await buildImage({ trials, identifiers, links: [], relations: [] });
    const { image } = built;
    expect(resolveId(image, 'NCT00000065')).toEqual({ standing: 'claimed', rows: [0, 1] });
    expect(heldRow(image, 'NCT00000065')).toBeNull();
    expect(unheldId(image, 'NCT00000065').message).toBe(
      'NCT00000065 is an earlier number of NCT00000013 (wt_aaaaaaaaaaaa) and of NCT00000026 (wt_bbbbbbbbbbbb): a number that several records claim means none of them. Use the number of the record that you mean.',
    );
  });

  it('gives the same bytes for the same tables', async () => {
    await using one = await buildImage(CORPUS);
    const reversed = {
      trials: [...CORPUS.trials].reverse(),
      identifiers: [...CORPUS.identifiers].reverse(),
      links: [...CORPUS.links].reverse(),
      relations: CORPUS.relations,
    };
    await using other = await buildImage(reversed);
    expect(hashes(one.snapshotDir)).toEqual(hashes(other.snapshotDir));
    expect(Object.keys(hashes(one.snapshotDir))).toEqual([
      'documents-000.arrow',
      'ids.arrow',
      'pairs.arrow',
      'results-gap.arrow',
      'rows.arrow',
      'sequences.arrow',
      'sponsors.arrow',
      'terminology.json',
      'terms.arrow',
      'topics.arrow',
    ]);
  });

  it('refuses a directory without tables', async () => {
    await expect(
      buildServingImage({ snapshotDir: '/nonexistent', outDir: join('/tmp', `none-${process.pid}`) }, quietEffects),
    ).rejects.toThrow('No files found that match the pattern "/nonexistent/trials.parquet"');
  });

  it('refuses a cut or foreign file by its name and keeps nothing mapped', async () => {
    await using own = await buildImage(CORPUS);
    const file = join(own.snapshotDir, 'serving', 'terms.arrow');
    const whole = readFileSync(file);
    own.image.release();
    truncateSync(file, whole.length - 10);
    expect(() => openSnapshotImage(own.snapshotDir)).toThrow(/terms\.arrow is not a whole Arrow file/);
    writeFileSync(file, whole);
    openSnapshotImage(own.snapshotDir).release();
    writeFileSync(file, '');
    expect(() => openSnapshotImage(own.snapshotDir)).toThrow(/terms\.arrow is empty/);
  });
});

function hashes(snapshotDir: string, dir = join(snapshotDir, 'serving')): Record<string, string> {
  const names = readdirSync(dir).sort();
  return Object.fromEntries(names.map((name) => [name, hash('sha256', readFileSync(join(dir, name)))]));
}
