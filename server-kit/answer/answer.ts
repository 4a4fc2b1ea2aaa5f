import { type H3Event, HTTPResponse } from 'h3';
import { PerRequest } from '../limits/per-request.ts';

/** What is added to the fields of an answer before it is sent; names are in lower case. */
export interface AnswerFields extends Iterable<[string, string]> {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
  set(name: string, value: string): unknown;
}

const sent = new PerRequest<Answer>();

/**
 * An answer whose header fields stay a map until Node writes them. With an HTTPResponse, h3 makes a Headers object of them,
 * which checks each field as it is set and sorts all of them to be read; Node checks them again.
 */
export class Answer extends HTTPResponse {
  readonly #event: H3Event;
  readonly fields: Map<string, string>;

  constructor(
    event: H3Event,
    body: BodyInit | null,
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(body, { status });
    this.#event = event;
    this.fields = new Map(Object.entries(headers));
  }

  /** h3 reads this for the response that it sends, and hands it on as it is: whatever the map gains until then is sent. */
  override get headers(): Headers {
    sent.set(this.#event, this);
    return this.fields as unknown as Headers;
  }
}

/**
 * The fields of the response that h3 is about to send. To leave out the body of a HEAD, h3 may have made another response
 * with a copy of them.
 */
export function fieldsOf(event: H3Event, response: Response): AnswerFields {
  const answer = event.req.method === 'HEAD' ? undefined : sent.get(event);
  return answer?.fields ?? response.headers;
}

/**
 * The JSON that answers a GET of this process to itself. It is read off the answer as that was made: a Response hands on its
 * bytes through a stream, which costs as much as to parse them.
 */
export async function sentJson(request: Request, response: Response): Promise<unknown> {
  // h3 keeps the context of a request with it.
  const { context } = request as Request & Partial<Pick<H3Event, 'context'>>;
  const body = context && sent.get({ context })?.body;
  return Buffer.isBuffer(body) || typeof body === 'string' ? JSON.parse(String(body)) : response.json();
}
