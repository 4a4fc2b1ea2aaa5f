/** The body of a REST answer. */
export interface Envelope {
  data: unknown;
  _meta: Record<string, unknown>;
}
