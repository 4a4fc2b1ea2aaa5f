import type { H3, H3Event } from 'h3';
import { type DoorId, doorOf } from '../../contract/doors.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import { correlationIdOf, otherMethod } from '../../server-kit/mount.ts';
import { DOCUMENT_HEADERS, documentOf } from '../pages/layout.ts';
import type { PageContent } from '../pages/page.ts';
import { docsPage } from './docs-page.ts';
import { llmsText } from './llms-text.ts';
import { noAccountPage } from './no-account-page.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/** Serves the texts that lead to the service, and those that say where it ends. A null `baseUrl` takes it from each request. */
export function mountTexts(app: H3, { baseUrl }: { baseUrl: string | null }): void {
  const plain = { 'content-type': `${doorOf('llms').mediaType}; charset=utf-8` };
  mountText(app, 'llms', baseUrl, { textFor: llmsText, headers: plain });
  mountDocument(app, 'docs', baseUrl, docsPage);
  mountDocument(app, 'login', baseUrl, () => noAccountPage('Log in'));
  mountDocument(app, 'signup', baseUrl, () => noAccountPage('Sign up'));
}

/** A text in the layout of the pages; it reads nothing, so it depends on the address alone. */
function mountDocument(
  app: H3,
  id: DoorId,
  baseUrl: string | null,
  contentFor: (baseUrl: string) => PageContent,
): void {
  const current = doorOf(id).path;
  const textFor = (address: string) => documentOf(contentFor(address), { current, baseUrl: address, provenance: {} });
  mountText(app, id, baseUrl, { textFor, headers: DOCUMENT_HEADERS });
}

function mountText(
  app: H3,
  id: DoorId,
  baseUrl: string | null,
  { textFor, headers }: { textFor: (baseUrl: string) => string; headers: Readonly<Record<string, string>> },
): void {
  const { path } = doorOf(id);
  // Only the address in it differs; the last one asked for is kept, as callers mostly ask for the same.
  let made: { address: string; body: Buffer<ArrayBuffer> } | undefined;
  const answer = (event: H3Event) => {
    const address = baseUrl ?? `${event.url.protocol}//${event.url.host}`;
    if (made?.address !== address) made = { address, body: Buffer.from(textFor(address)) };
    const { body } = made;
    const answered = { body, validator: body.toString('latin1'), status: 200 };
    return answerWithCaching(event, { id, cache: 'static' }, answered, { ...headers }, correlationIdOf(event));
  };
  app.get(path, answer);
  app.on('HEAD', path, answer);
  app.all(path, (event) => otherMethod(event, ALLOW));
}
