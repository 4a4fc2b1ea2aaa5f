import { AggregatorRegistry } from 'prom-client';
import type { MetricValues } from './messages.ts';

/** Kept of a process that ended: a sum that fell would look like a restart of the whole service. */
const KEPT_TYPES: readonly unknown[] = ['counter', 'histogram'];

/** The metrics of several processes as one: sums, unless a metric names another way. */
export class MergedMetrics<Member> {
  readonly #last = new Map<Member, MetricValues>();
  #ended: Promise<MetricValues> = Promise.resolve([]);

  /** Values that a running process told. They count until it tells others. */
  told(member: Member, values: MetricValues): void {
    this.#last.set(member, values);
  }

  /** What the process counted stays in the sums; what it held is gone. */
  left(member: Member): void {
    const values = this.#last.get(member);
    if (values === undefined) return;
    this.#last.delete(member);
    const counted = values.filter((metric) => 'type' in metric && KEPT_TYPES.includes(metric.type));
    this.#ended = this.#ended.then((before) => merged([before, counted]).getMetricsAsJSON());
  }

  async text(): Promise<string> {
    return await merged([...this.#last.values(), await this.#ended]).metrics();
  }
}

function merged(parts: readonly MetricValues[]) {
  // The library declares another type than the one that it takes: the metrics of each process.
  return AggregatorRegistry.aggregate(parts as never);
}
