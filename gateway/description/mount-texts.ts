import type { H3, H3Event } from 'h3';
import { LRUCache } from 'lru-cache';
import { type DoorId, doorOf } from '../../contract/interfaces/doors.ts';
import { Finished } from '../../server-kit/answer/finished.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import { correlationIdOf, otherMethod } from '../../server-kit/mount.ts';
import { sdkFiles } from '../handlers/sdk.ts';
import { VERIFIER_FILE } from '../pages/assets.ts';
import { DOCUMENT_HEADERS, documentOf } from '../pages/layout.ts';
import type { PageContent } from '../pages/page.ts';
import { DOCUMENT_DOORS, documentText, queriesText } from './documents.ts';
import { llmsText } from './llms-text.ts';
import { noAccountPage } from './no-account-page.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/**
 * Serves /llms.txt, the pages that say that there are no accounts, the package of the SDK, the verifiers, and what auditors
 * read. A null `baseUrl` takes the address from each request.
 */
export function mountTexts(app: H3, { baseUrl }: { baseUrl: string | null }): void {
  const plain = { 'content-type': `${doorOf('llms').mediaType}; charset=utf-8` };
  mountFile(app, 'llms', baseUrl, { contentFor: (address) => Buffer.from(llmsText(address)), headers: plain });
  const packed = { 'content-type': doorOf('sdk-package').mediaType };
  mountFile(app, 'sdk-package', baseUrl, { contentFor: async () => (await sdkFiles()).tarball, headers: packed });
  const script = { 'content-type': `${doorOf('verifier').mediaType}; charset=utf-8` };
  mountFile(app, 'verifier', baseUrl, { contentFor: () => VERIFIER_FILE, headers: script });
  mountFile(app, 'queries', baseUrl, { contentFor: () => Buffer.from(queriesText()), headers: plain });
  for (const id of DOCUMENT_DOORS)
    mountFile(app, id, baseUrl, { contentFor: () => Buffer.from(documentText(id)), headers: plain });
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
  const textFor = (address: string) =>
    Buffer.from(documentOf(contentFor(address), { current, baseUrl: address, address: current, provenance: {} }));
  mountFile(app, id, baseUrl, { contentFor: textFor, headers: DOCUMENT_HEADERS });
}

interface ServedFile {
  contentFor: (baseUrl: string) => Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>;
  headers: Readonly<Record<string, string>>;
}

/** Most callers use one address. */
const ADDRESSES_KEPT = 3;

function mountFile(app: H3, id: DoorId, baseUrl: string | null, { contentFor, headers }: ServedFile): void {
  const { path } = doorOf(id);
  // The content depends only on the address.
  const made = new LRUCache<string, Finished>({ max: ADDRESSES_KEPT });
  const answer = async (event: H3Event) => {
    const address = baseUrl ?? `${event.url.protocol}//${event.url.host}`;
    const body = made.get(address) ?? new Finished(await contentFor(address));
    made.set(address, body);
    const answered = { body, validator: body.digest, status: 200 };
    return answerWithCaching(event, { id, cache: 'static' }, answered, { ...headers }, correlationIdOf(event));
  };
  app.get(path, answer);
  app.on('HEAD', path, answer);
  app.all(path, (event) => otherMethod(event, ALLOW));
}
