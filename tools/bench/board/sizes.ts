/** Number of rows of each kind on the filled board, in proportion to its events. */
export interface Sizes {
  events: number;
  findings: number;
  messages: number;
  claims: number;
  webhooks: number;
  amendments: number;
  rungs: number;
  evidence: number;
  deadEnds: number;
  predictions: number;
  agents: number;
}

const AT_A_MILLION: Sizes = {
  events: 1_000_000,
  findings: 100_000,
  messages: 200_000,
  claims: 20_000,
  webhooks: 10_000,
  amendments: 2_000,
  rungs: 5_000,
  evidence: 20_000,
  deadEnds: 10_000,
  predictions: 20_000,
  agents: 500,
};

export function sizesOf(events: number): Sizes {
  const share = events / AT_A_MILLION.events;
  const scaled = Object.entries(AT_A_MILLION).map(([name, size]) => [name, Math.max(1, Math.round(size * share))]);
  return Object.fromEntries(scaled) as unknown as Sizes;
}
