/** The numbers of a page that are links, and the number that the page of each link begins with. */

export interface NumberLink {
  address: string;
  /** As the page says it. */
  shown: number;
}

const decoded = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Counts in a link, and numbers of trials at the end of a link's words. */
const NUMBER = /(?:<span class="count">|: )([\d,]+)(?: trials?)?(?:<\/span>)?\s*$/;

export function numberLinks(markup: string): NumberLink[] {
  const links = [...markup.matchAll(/<a\b([^>]*)>((?:(?!<\/a>)[\s\S])*)<\/a>/g)];
  const found = links.flatMap(([, attributes = '', words = '']): NumberLink[] => {
    const address = /\shref="([^"]*)"/.exec(attributes)?.[1];
    const isCount = /\sclass="count"/.test(attributes);
    const number = isCount ? words : NUMBER.exec(words)?.[1];
    if (address === undefined || number === undefined || !/^[\d,]+$/.test(number)) return [];
    return [{ address: decoded(address), shown: Number(number.replaceAll(',', '')) }];
  });
  return [...new Map(found.map((link) => [`${link.address} ${link.shown}`, link])).values()];
}

/** The number in the headline of a list of trials, or in the first sentence of a page about some; null if it has none. */
export function headlineNumber(markup: string): number | null {
  const found =
    /<h2 id="found">([\d,]+) trials? found<\/h2>/.exec(markup) ??
    /<p class="lead"><strong><a class="count"[^>]*>([\d,]+)<\/a>/.exec(markup);
  return found === null ? null : Number(found[1]!.replaceAll(',', ''));
}
