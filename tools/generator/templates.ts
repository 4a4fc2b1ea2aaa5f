import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { SAMPLE_DIRECTORY } from '../../pipeline/run/sample.ts';

/** The day that the sample's statuses and dates agree with, and with them those of every corpus made from it. */
export const AS_OF = '2026-10-01';

export interface Templates {
  /** Studies of ClinicalTrials.gov, each one JSON text. */
  studies: string[];
  /** Trials of ISRCTN, each one `<fullTrial>`. */
  trials: string[];
  /** Different sentences of the studies' descriptions, from which longer texts are put together. */
  sentences: string[];
}

/** The sample begins with records that test one oddity each; they are no templates. */
const ODD_RECORDS = 64;
/** Stands for a real registration, once: docs/pipeline.md. */
const REAL_NUMBER = 'NCT04233034';

/** The ordinary records of the committed sample's first day, with their shares of statuses, phases, countries and sizes. */
export function readTemplates(): Templates {
  const studies = filesOf('ctgov').flatMap((text) =>
    JSON.parse(text).studies.map((study: object) => JSON.stringify(study)),
  );
  const trials = filesOf('isrctn').flatMap((text) => text.match(/<fullTrial>.*?<\/fullTrial>/gs) ?? []);
  const ordinary = studies.slice(ODD_RECORDS).filter((study) => !study.includes(REAL_NUMBER));
  return { studies: ordinary, trials: trials.slice(ODD_RECORDS), sentences: sentencesOf(ordinary) };
}

function filesOf(registry: 'ctgov' | 'isrctn'): string[] {
  const folder = join(SAMPLE_DIRECTORY, 'day-0', registry);
  return readdirSync(folder)
    .sort()
    .map((name) => brotliDecompressSync(readFileSync(join(folder, name))).toString());
}

function sentencesOf(studies: string[]): string[] {
  const found = new Set<string>();
  for (const study of studies) {
    const text: string = JSON.parse(study).protocolSection.descriptionModule.detailedDescription ?? '';
    for (const sentence of text.split(/(?<=\.)\s+/)) if (sentence !== '') found.add(sentence);
  }
  return [...found].sort();
}
