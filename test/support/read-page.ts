import { mainOf } from './checks/main-of.ts';
import type { TestGateway } from './gateway.ts';

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
  const answer = await fetch(origin.url + path, { headers: { accept: 'text/html' } });
  const markup = await answer.text();
  return { status: answer.status, headers: answer.headers, markup, text: seenText(markup) };
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

export interface GatewayPage {
  status: number;
  headers: Headers;
  /** Where a redirect leads. */
  location: string | null;
  /** As it was sent. */
  text: string;
  /** The visible text of its content. */
  seen: string;
}

/** A page of a gateway in this process, as a browser asks for it; redirects are not followed. */
export async function gatewayPage(
  { app }: Pick<TestGateway, 'app'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<GatewayPage> {
  const asked = new Request(`http://test.example${path}`, { headers: { accept: 'text/html', ...headers } });
  const answer = await app.fetch(asked);
  const text = await answer.text();
  const location = answer.headers.get('location');
  return { status: answer.status, headers: answer.headers, location, text, seen: seenText(mainOf(text)) };
}
