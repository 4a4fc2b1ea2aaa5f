import { createHash } from 'node:crypto';
import type { H3, H3Event } from 'h3';
import { type DoorId, doorOf } from '../../contract/doors.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import { correlationIdOf, otherMethod } from '../../server-kit/mount.ts';
import { docsPage } from './docs-page.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { llmsText } from './llms-text.ts';
import { noAccountPage } from './no-account-page.ts';

const ALLOW = 'GET, HEAD, OPTIONS';
const STYLE_HASH = createHash('sha256').update(DOCS_STYLE).digest('base64');
/** The page runs nothing and loads nothing: its one style sheet stands in it. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Serves the texts that lead to the service, and those that say where it ends. A null `baseUrl` takes it from each request. */
export function mountTexts(app: H3, { baseUrl }: { baseUrl: string | null }): void {
  mountText(app, 'llms', baseUrl, llmsText);
  const page = { 'content-security-policy': PAGE_POLICY };
  mountText(app, 'docs', baseUrl, docsPage, page);
  mountText(app, 'login', baseUrl, () => noAccountPage('Log in'), page);
  mountText(app, 'signup', baseUrl, () => noAccountPage('Sign up'), page);
}

function mountText(
  app: H3,
  id: DoorId,
  baseUrl: string | null,
  textFor: (baseUrl: string) => string,
  headers: Record<string, string> = {},
): void {
  const { path, mediaType } = doorOf(id);
  // Only the address in it differs; the last one asked for is kept, as callers mostly ask for the same.
  let made: { address: string; body: Buffer<ArrayBuffer> } | undefined;
  const answer = (event: H3Event) => {
    const address = baseUrl ?? `${event.url.protocol}//${event.url.host}`;
    if (made?.address !== address) made = { address, body: Buffer.from(textFor(address)) };
    const { body } = made;
    const answered = { body, validator: body.toString('latin1'), status: 200 };
    const own = { 'content-type': `${mediaType}; charset=utf-8`, ...headers };
    return answerWithCaching(event, { id, cache: 'static' }, answered, own, correlationIdOf(event));
  };
  app.get(path, answer);
  app.on('HEAD', path, answer);
  app.all(path, (event) => otherMethod(event, ALLOW));
}
