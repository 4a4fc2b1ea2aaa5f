import { CAPITALS, CURE_CLASSES } from '../../contract/schemas/trials/signals.ts';

/**
 * The signal part of the serving image, made of the table `signals`. Rows are items: day newest first, then id.
 *
 * | file | one row per | columns |
 * |---|---|---|
 * | signals.arrow | item, one batch | day, capital, class, category, domain |
 * | signal-terms.arrow | token of title and summary, one batch | key, number, encoding, count, data |
 * | signal-domains.arrow | web domain, one batch | name |
 * | signal-items.arrow | item, batches of SIGNAL_ITEMS_PER_BATCH | finished JSON |
 */
export const SIGNALS_FILE = 'signals.arrow';
export const SIGNAL_TERMS_FILE = 'signal-terms.arrow';
export const SIGNAL_DOMAINS_FILE = 'signal-domains.arrow';
export const SIGNAL_ITEMS_FILE = 'signal-items.arrow';
export const SIGNAL_FILES = [SIGNALS_FILE, SIGNAL_TERMS_FILE, SIGNAL_DOMAINS_FILE, SIGNAL_ITEMS_FILE] as const;
/** Few batches open fast, and each stays far below the largest batch size. */
export const SIGNAL_ITEMS_PER_BATCH = 16_384;

/** Schema metadata key of signals.arrow: JSON of the names to which the numbers in class and category refer. */
export const SIGNAL_NAMES_KEY = 'names';

/** Stands for "no term matched" in the column class. */
export const NO_CLASS = 255;
/** Column `capital`: place in CAPITALS, or this where no term matched. */
export const NO_CAPITAL = CAPITALS.length;

/** Whether an item of this lexicon class counts towards the cure pulse. */
export function isCureClass(lexiconClass: string | null): boolean {
  return (CURE_CLASSES as readonly string[]).includes(lexiconClass ?? '');
}
