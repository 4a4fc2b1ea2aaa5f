import type { H3Event } from 'h3';
import type { AnswerFields } from '../server-kit/answer/answer.ts';
import { SECURITY_HEADERS } from '../server-kit/security-headers.ts';

/** Our pages use no devices. */
const PAGE_PERMISSIONS = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';
/** A year, as browsers advise. */
const SECURE_TRANSPORT = 'max-age=31536000';

const FIXED = Object.entries(SECURITY_HEADERS);

/** Sets the security headers of every answer, refusals included; a page keeps its own content policy. */
export function setSecurityHeaders(event: H3Event, headers: AnswerFields, baseUrl: string | null): void {
  for (const [name, value] of FIXED) {
    if (name !== 'content-security-policy' || !headers.has(name)) headers.set(name, value);
  }
  if (headers.get('content-type')?.startsWith('text/html')) headers.set('permissions-policy', PAGE_PERMISSIONS);
  const address = baseUrl ?? event.url.protocol;
  if (address.startsWith('https:')) headers.set('strict-transport-security', SECURE_TRANSPORT);
}

const EXPOSED = [
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Repr-Digest',
  'Retry-After',
  'X-Api-Key-Status',
  'X-Changes-Head',
  'X-Correlation-Id',
].join(', ');
/** What browsers' clients of REST, MCP and A2A send; each of them may send any, since paths are answered alike. */
const ALLOWED = [
  'A2A-Extensions',
  'A2A-Version',
  'Accept',
  'Authorization',
  'Cache-Control',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Range',
  'X-A2A-Extensions',
  'X-Api-Key',
  'X-Correlation-Id',
  'X-Prediction-Token',
  'X-Release-Token',
  'X-Webhook-Secret',
  'X-Withdraw-Token',
].join(', ');
/** Browsers use a lower maximum; a day says that the answer does not change. */
const PREFLIGHT_KEPT_SECONDS = '86400';

/** Any page may read, since nothing here uses cookies; a preflight is told the methods that its page may use. */
export function setCorsHeaders(
  event: H3Event,
  headers: AnswerFields,
  methodsForPage: (event: H3Event, answered: readonly string[]) => string[],
): void {
  headers.set('access-control-allow-origin', '*');
  headers.set('access-control-expose-headers', EXPOSED);
  if (event.req.method !== 'OPTIONS') return;
  const answered = (headers.get('allow') ?? '').split(', ');
  headers.set('access-control-allow-methods', methodsForPage(event, answered).join(', '));
  headers.set('access-control-allow-headers', ALLOWED);
  headers.set('access-control-max-age', PREFLIGHT_KEPT_SECONDS);
}
