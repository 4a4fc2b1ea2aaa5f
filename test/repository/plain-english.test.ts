import { describe, expect, it } from 'vitest';
import { read, repositoryFiles } from '../support/tree.ts';

/**
 * Forms that a reader has to read twice, each with what to write instead. A pattern can match only a few such forms;
 * people look for the rest.
 */
const HARD_FORMS: readonly { form: RegExp; instead: string }[] = [
  { form: /\/\*\* The same\b/, instead: 'a doc comment that stands alone' },
  {
    form: /(?<!\b(?:all|both|each|either|half|many|most|none|one|some|two) )\bof which\b/i,
    instead: 'a clause with its own subject',
  },
  { form: /\bwhat gives way\b/i, instead: 'what is replaced, and by what' },
  { form: /\b(?:that|who|which) (?:is|are) none\b(?! of)/i, instead: 'not a …, or invalid' },
  { form: /\bthe same of\b/i, instead: 'what exactly is equal' },
  { form: /\bwhat of \w+ goes by\b/i, instead: 'the values that depend on …' },
];

/** Generated files repeat the contract's texts, and this file has to name the forms. */
const LEFT_OUT =
  /^(?:sdk\/(?:types|methods|operations)\.ts|sdk\/js\/|docs\/(?:reference\.md|openapi\.json)|package-lock|test\/house\/plain-english)/;

const files = repositoryFiles().filter((path) => /\.(?:ts|mjs|sql|md)$/.test(path) && !LEFT_OUT.test(path));

/** Each file as one line, without comment marks, so that a form is found across the end of a line. */
const texts = files.map((path) => ({ path, text: read(path).replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ') }));

describe('plain English', () => {
  it.each(HARD_FORMS)('$form: write $instead', ({ form }) => {
    const places = texts.flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(form, `g${form.flags}`))].map(
        ({ index }) => `${path}: ${text.slice(Math.max(0, index - 40), index + 40)}`,
      ),
    );
    expect(places).toEqual([]);
  });
});
