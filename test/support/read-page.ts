export interface ReadPage {
  status: number;
  headers: Headers;
  /** As it was sent. */
  markup: string;
  /** The visible text, with blanks collapsed. */
  text: string;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** A page of the origin, as a browser asks for it. */
export async function readPage(origin: { url: string }, path: string): Promise<ReadPage> {
  const { status, headers, text } = await askPage(origin.url + path);
  return { status, headers, markup: text, text: seenText(text) };
}

/** The visible text of a document, with blanks collapsed and pictures left out. */
export function seenText(markup: string): string {
  return markup
    .slice(Math.max(0, markup.indexOf('<body')))
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

async function askPage(address: string): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
