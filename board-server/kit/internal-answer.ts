import { type H3Event, HTTPResponse } from 'h3';
import type { z } from 'zod';

/** An answer on a path that only the gateway may call. */
export function internalAnswer(status: number, body: unknown): HTTPResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return new HTTPResponse(JSON.stringify(body), { status, headers });
}

/** The body of a request of the gateway; null where it is not of this form. */
export async function internalBody<Schema extends z.ZodType>(
  event: H3Event,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const read = schema.safeParse(await event.req.json().catch(() => null));
  return read.success ? read.data : null;
}
