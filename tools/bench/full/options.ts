export const FULL_HELP = `       npm run bench -- full [--percent 100] [--seed 1] [--seconds 5] [--load-minutes 10]
                             [--corpus DIR] [--skip STEP,...] [--keep] [--json]

Every target of full scale with its measured value: the pipeline over 600,000 ClinicalTrials.gov and 29,000 ISRCTN
registrations (or a percentage of them), a day's change, diff and verify, the index server, searches in it and over HTTP,
a load with snapshot swaps, the board and every read of a filled one, the rivals, and the limits of the machine. --corpus keeps
the dumps in a folder and reuses a dump with the same parameters. If a step fails, that is reported and the others still run.
Steps for --skip: day, diff, verify, start, in-server, http, keyed-reads, load, board, board-scale, rivals, limits.
`;

/** Steps that can be left out; the other steps need the pipeline's first run. */
export const OPTIONAL_STEPS = [
  'day',
  'diff',
  'verify',
  'start',
  'in-server',
  'http',
  'keyed-reads',
  'load',
  'board',
  'board-scale',
  'rivals',
  'limits',
] as const;
export type OptionalStep = (typeof OPTIONAL_STEPS)[number];

export interface FullOptions {
  /** Of the whole registries. */
  percent: number;
  seed: number;
  /** How long each load over HTTP lasts, except the long one. */
  seconds: number;
  loadMinutes: number;
  /** Folder in which dumps are kept from run to run; null for one that is removed after the run. */
  corpus: string | null;
  skip: OptionalStep[];
  keep: boolean;
  json: boolean;
}

/** Registrations of the whole registries. */
const WHOLE = { ctgov: 600_000, isrctn: 29_000 } as const;
/** Smallest percentage: a smaller corpus has too few words to draw queries from. */
const PERCENT_MIN = 0.05;

export function sizeOf(percent: number): { ctgov: number; isrctn: number } {
  const share = (count: number): number => Math.round((count * percent) / 100);
  return { ctgov: share(WHOLE.ctgov), isrctn: share(WHOLE.isrctn) };
}

/** The words of the command line as they were given. */
export interface FullWords {
  percent: string;
  'load-minutes': string;
  skip: string;
}

/** Throws RangeError with a text for the terminal when an option is invalid. */
export function readFullWords(words: FullWords): Pick<FullOptions, 'percent' | 'loadMinutes' | 'skip'> {
  const percent = percentOf(words.percent);
  const loadMinutes = Number(words['load-minutes']);
  if (!(loadMinutes > 0 && loadMinutes <= 24 * 60))
    throw new RangeError('--load-minutes takes minutes above 0, up to 1440');
  const skip = parts(words.skip).map((name) => {
    const step = OPTIONAL_STEPS.find((known) => known === name);
    if (step === undefined)
      throw new RangeError(`--skip knows no step ${name}; there are ${OPTIONAL_STEPS.join(', ')}`);
    return step;
  });
  return { percent, loadMinutes, skip };
}

function percentOf(text: string): number {
  const percent = Number(text);
  if (percent >= PERCENT_MIN && percent <= 100) return percent;
  throw new RangeError(`--percent takes percentages from ${PERCENT_MIN} to 100`);
}

function parts(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
