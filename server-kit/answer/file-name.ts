const WORDS_MAX_CHARACTERS = 60;

/** A name that tells what a file holds: letters of ASCII, digits and hyphens, which every system takes. */
export function fileNameOf(what: string, words: readonly string[], version: string, ending: string): string {
  const slug = words
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .slice(0, WORDS_MAX_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '');
  return `${[what, slug, version].filter((part) => part !== '').join('-')}.${ending}`;
}
