import type { H3, H3Event } from 'h3';
import { doorOf } from '../../contract/interfaces/doors.ts';
import { Answer } from '../../server-kit/answer/answer.ts';
import { receivedBytes } from '../../server-kit/body.ts';
import { otherMethod } from '../../server-kit/mount.ts';
import { Problem } from '../../server-kit/problem.ts';
import { type Html, html } from './html.ts';
import { ADDRESS_MAX_CHARACTERS } from './kit/address.ts';

/** Whether pages are light or dark: as the device is, or as the reader chose on this site. */
export type Theme = 'light' | 'dark';

const COOKIE = 'theme';
const KEPT_SECONDS = 365 * 24 * 60 * 60;
const PATH = doorOf('theme').path;
const BODY_MAX_BYTES = 1_024;
/** What a reader can choose; `device` forgets the choice. */
const CHOICES = [
  ['device', 'As on this device'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The choice in the request's cookie; null if there is none. */
export function themeOf(event: H3Event): Theme | null {
  const found = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(event.req.headers.get('cookie') ?? '');
  return (found?.[1] as Theme | undefined) ?? null;
}

/** Buttons that switch the theme and lead back to this page. They post, since a link may be followed by a program. */
export function themeSwitch(chosen: Theme | null, back: string): Html {
  const button = ([value, title]: (typeof CHOICES)[number]): Html =>
    html`<button formaction="${PATH}?${new URLSearchParams({ to: value, back }).toString()}" aria-pressed="${String((chosen ?? 'device') === value)}">${title}</button>`;
  return html`<form class="theme" method="post"><span id="theme">Colours</span> ${CHOICES.map((choice) => [button(choice), ' '])}</form>`;
}

/** Sets the cookie and answers with the way back. */
export function mountTheme(app: H3, baseUrl: string | null): void {
  app.post(PATH, async (event) => {
    // A browser says where a form stands; a program that says nothing chooses for nobody else.
    const site = event.req.headers.get('sec-fetch-site') ?? 'same-origin';
    if (!['same-origin', 'none'].includes(site)) throw new Problem('FORBIDDEN');
    // The form has no fields: everything is in its address.
    await receivedBytes(event, BODY_MAX_BYTES);
    const { searchParams } = event.url;
    const to = searchParams.get('to');
    if (!CHOICES.some(([value]) => value === to)) {
      throw new Problem('INVALID_PARAM', { message: 'to: expected device, light or dark.' });
    }
    const cookie = [
      `${COOKIE}=${to === 'device' ? '' : to}`,
      `Max-Age=${to === 'device' ? 0 : KEPT_SECONDS}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      ...((baseUrl ?? event.url.protocol).startsWith('https:') ? ['Secure'] : []),
    ];
    const headers = {
      location: pathWithin(searchParams.get('back'), event.url.origin),
      'set-cookie': cookie.join('; '),
      'cache-control': 'no-store',
    };
    return new Answer(event, null, { status: 303, headers });
  });
  app.all(PATH, (event) => otherMethod(event, 'POST, OPTIONS'));
}

/** The path and query of an address of this site; the first page for every other address. */
export function pathWithin(address: string | null, origin: string): string {
  const url = URL.parse(address ?? '/', origin);
  // A path that begins with two slashes would be read as the name of another site.
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return '/';
  if (url.pathname.length + url.search.length > ADDRESS_MAX_CHARACTERS) return '/';
  return url.pathname + url.search;
}
