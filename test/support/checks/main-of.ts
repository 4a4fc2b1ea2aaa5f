/** The content of a page, without what is round every page. */
export function mainOf(markup: string): string {
  return markup.slice(markup.indexOf('<main'), markup.indexOf('</main>'));
}
