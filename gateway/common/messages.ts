import type { Holder, NoPlace, PlaceBounds } from '../../server-kit/limits/shared-places.ts';
import type { Common } from './common.ts';

/** Metrics of one process, in the form in which prom-client passes them between processes. */
export type MetricValues = readonly object[];

/** What a gateway may ask its supervisor, beside what `Common` promises. Arguments and results are plain JSON. */
export interface Calls extends Omit<Common, 'heldIn'> {
  /** The token of a place, or why there is none. */
  enter(name: string, holder: Holder, bounds: PlaceBounds): number | NoPlace;
  leave(token: number): void;
  /** Resolves when this gateway may serve a version that it has prepared. */
  staged(version: string): Promise<true>;
  /** Whether this gateway does what one of them does for all. */
  isFirst(): boolean;
  /** The answer to `metricsOf`. */
  metricsAre(id: number, values: MetricValues): void;
  /** The metrics of all gateways as text. */
  metrics(): Promise<string>;
}

export type CallName = keyof Calls;

/** A call: its number (0 where no answer is expected), its name, its arguments. */
export type Call = [id: number, name: CallName, ...args: unknown[]];

/** From a gateway to its supervisor. */
export interface CallsMessage {
  calls: Call[];
}

/** From the supervisor to a gateway. */
export type DeskMessage =
  | { answers: [id: number, value: unknown][] }
  /** Forget what is known of the key with this hash. */
  | { forget: string }
  /** Tell the metrics of this process. */
  | { metricsOf: number };
