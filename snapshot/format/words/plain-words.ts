/** Words that are not asked for between concepts; a query of nothing else keeps them. */
const FUNCTION_WORDS = new Set(
  'a an and as at by compared due for from in into of on or the to versus vs with without among during patients people'.split(
    ' ',
  ),
);
/** Words of a question, which no title has and which say nothing of a trial. */
const QUESTION_WORDS = new Set(
  'a about any are can do does find have how is list many me much show there trial trials study studies what when where which who'.split(
    ' ',
  ),
);

/** Words by which people ask for trials of something, and which every trial is: beside a concept they are not asked for. */
const GENERAL_WORDS = new Set(
  `clinical treatment treatments treat treating therapy therapies drug drugs medicine medicines medication medications cure cures research
  new latest current i my me we our help option options person persons being living suffering diagnosed`.split(/\s+/),
);

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word.toLowerCase());
}

/** In capitals, who is an organisation. */
export function isQuestionWord(word: string): boolean {
  return word !== 'WHO' && QUESTION_WORDS.has(word.toLowerCase());
}

export function isGeneralWord(word: string): boolean {
  return GENERAL_WORDS.has(word.toLowerCase());
}

/** A word that says nothing of a trial. */
export function saysNothing(word: string): boolean {
  return isFunctionWord(word) || isQuestionWord(word);
}
