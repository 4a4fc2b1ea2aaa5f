import type { H3Event } from 'h3';
import { SECURITY_HEADERS } from '../server-kit/security-headers.ts';

/** Our pages use no devices. */
const PAGE_PERMISSIONS = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';
/** A year, as browsers advise. */
const SECURE_TRANSPORT = 'max-age=31536000';

const FIXED = Object.entries(SECURITY_HEADERS);

/** Sets the security headers of every answer, refusals included; a page keeps its own content policy. */
export function setSecurityHeaders(event: H3Event, response: Response, baseUrl: string | null): void {
  const { headers } = response;
  for (const [name, value] of FIXED) {
    if (name !== 'content-security-policy' || !headers.has(name)) headers.set(name, value);
  }
  if (headers.get('content-type')?.startsWith('text/html')) headers.set('permissions-policy', PAGE_PERMISSIONS);
  const address = baseUrl ?? event.url.protocol;
  if (address.startsWith('https:')) headers.set('strict-transport-security', SECURE_TRANSPORT);
}
