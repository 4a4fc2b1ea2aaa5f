import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryDirectory, testEffects, zipOf } from '../../test/support/raw-sets.ts';
import { importDump } from './import-dump.ts';

const JSON_WANTED =
  'take its JSON: Download on a result page of clinicaltrials.gov, or `pipeline fetch --registry clinicaltrials_gov`';
const XML_WANTED =
  'take its XML: https://www.isrctn.com/api/query/format/default, or `pipeline fetch --registry isrctn`';
const STUDY = '{"protocolSection":{"identificationModule":{"nctId":"NCT00000001"}}}';

async function refusal(registry: 'clinicaltrials_gov' | 'isrctn', bytes: string | Buffer): Promise<string> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'file');
  await writeFile(path, bytes);
  const refused = importDump({ registry, path, dataDir: join(directory.path, 'data') }, testEffects());
  const error: Error = await refused.then(
    () => new Error('it was imported'),
    (one) => one,
  );
  return error.message;
}

test.each([
  ['nct_id|nlm_download_date_description|study_first_submitted_date\nNCT1||\n', 'a table of AACT'],
  ['id|nct_id|intervention_type|name\n1|NCT1|Drug|x\n', 'a table of AACT'],
  ['PGDMP\x01\x0e', 'a dump of PostgreSQL, as AACT offers one'],
  ['NCT Number,Study Title,Study URL\n', 'a CSV export of ClinicalTrials.gov, which lacks most fields'],
  ['"Rank","NCT Number","Title"\n', 'a CSV export of ClinicalTrials.gov, which lacks most fields'],
  ['<?xml version="1.0"?>\n<!-- old -->\n<clinical_study rank="1">', 'the XML that ClinicalTrials.gov made until 2024'],
  ['<?xml version="1.0"?><Trials_downloaded_from_ICTRP><Trial>', "an export of WHO's ICTRP, which holds copies"],
  ['\ufeffTrialID,Last Refreshed on,Public title\n', "an export of WHO's ICTRP, which holds copies"],
  ['<!DOCTYPE html><html><title>x</title>', 'a web page'],
])('%j is refused by its name', async (begins, name) => {
  expect(await refusal('clinicaltrials_gov', begins)).toBe(
    `file holds no clinicaltrials_gov record; left out: file (${name}; ${JSON_WANTED}). Check the registry and the path`,
  );
  expect(await refusal('isrctn', gzipSync(begins))).toContain(`left out: file (${name}; ${XML_WANTED})`);
});

test('a file of the other registry is told where it belongs', async () => {
  const xml = '<allTrials totalCount="1"><fullTrial/></allTrials>';
  expect(await refusal('clinicaltrials_gov', xml)).toContain('file (ISRCTN XML: give it with --isrctn)');
  const csv = 'ISRCTN,Basic results\nISRCTN13146087,\n';
  expect(await refusal('clinicaltrials_gov', csv)).toContain('file (a CSV export of ISRCTN: give it with --isrctn)');
  for (const json of [STUDY, `[${STUDY}]`, `{"studies":[${STUDY}]}`]) {
    expect(await refusal('isrctn', json)).toContain('file (ClinicalTrials.gov JSON: give it with --ctgov)');
  }
});

test.each([
  ['ISRCTN;Basic results\nISRCTN13146087;\n', 'a CSV of ISRCTN separated by semicolons, as a spreadsheet saves it'],
  ['"ISRCTN"\t"Basic results"\n', 'a table of ISRCTN separated by tabs'],
])('%j is refused with the separator to send', async (begins, name) => {
  expect(await refusal('isrctn', begins)).toContain(
    `${name}: send it separated by commas, as the registry exports it; ${XML_WANTED}`,
  );
});

test('a zip is told by its first entry', async () => {
  expect(await refusal('clinicaltrials_gov', zipOf({ 'studies.txt': 'nct_id|a\nNCT1|b\n' }))).toContain(
    `file (a zip without study records; studies.txt in file: a table of AACT; ${JSON_WANTED})`,
  );
  expect(await refusal('clinicaltrials_gov', zipOf({}))).toContain('file (an empty zip)');
});
