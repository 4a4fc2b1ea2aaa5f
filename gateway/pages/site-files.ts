import type { H3, H3Event } from 'h3';
import { type DoorId, doorOf } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import { escapeMarkup } from '../../contract/markup.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import { correlationIdOf, otherMethod } from '../../server-kit/mount.ts';
import { ICON_FILE } from './assets.ts';
import { DOCUMENT_PATHS } from './navigation.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/** Serves what browsers and search engines look for at fixed addresses. */
export function mountSiteFiles(app: H3, baseUrl: string | null): void {
  const addressOf = (event: H3Event) => baseUrl ?? event.url.origin;
  mountOne(app, 'favicon', () => ICON_FILE);
  mountOne(app, 'robots', (event) => Buffer.from(robots(addressOf(event))));
  mountOne(app, 'sitemap', (event) => Buffer.from(sitemap(addressOf(event))));
}

function mountOne(app: H3, id: DoorId, bodyOf: (event: H3Event) => Buffer<ArrayBuffer>): void {
  const { path, mediaType } = doorOf(id);
  const isText = mediaType.startsWith('text/') || mediaType === 'application/xml';
  const headers = { 'content-type': isText ? `${mediaType}; charset=utf-8` : mediaType };
  const answer = (event: H3Event) => {
    const body = bodyOf(event);
    const answered = { body, validator: body.toString('latin1'), status: 200 };
    return answerWithCaching(event, { id, cache: 'static' }, answered, headers, correlationIdOf(event));
  };
  app.get(path, answer);
  app.on('HEAD', path, answer);
  app.all(path, (event) => otherMethod(event, ALLOW));
}

/** Everything may be read. The API is for programs that ask, not for an index of pages. */
export function robots(baseUrl: string): string {
  return `User-agent: *
Allow: /
Disallow: /api/

Sitemap: ${baseUrl}${doorOf('sitemap').path}
`;
}

/**
 * The pages that stand by themselves. The page of a trial is reached from lists: its address is named by no file here,
 * because to list half a million of them takes a pass over the whole index for each reader of the file.
 */
export function sitemap(baseUrl: string): string {
  const paths = [...PAGES.map(({ path }) => path).filter((path) => !path.includes('{')), ...DOCUMENT_PATHS];
  const lines = [...new Set(paths)].map((path) => `<url><loc>${escapeMarkup(baseUrl + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</urlset>
`;
}
