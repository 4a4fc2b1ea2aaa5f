import type { ExperimentInput } from '../../contract/schemas/research/twin.ts';
import { type Plan, type Trajectory, trajectories } from './plan.ts';

export interface Bounds {
  reactions: { reaction: string; low: number; rate: number; high: number }[];
  corners: number;
  /** Of the baseline and each arm. */
  low: Trajectory[];
  high: Trajectory[];
}

/** Smallest and largest values of the given runs and of all combinations of the ends; null if no rate is uncertain. */
export function sensitivityBounds(
  plan: Plan,
  runs: readonly Trajectory[],
  uncertain: NonNullable<ExperimentInput['uncertainty']>,
): Bounds | null {
  if (uncertain.length === 0) return null;
  const { network } = plan;
  const { rates } = network;
  const places = uncertain.map(({ reaction }) => network.reactionPlace(reaction));
  const low = runs.map((run) => run.slice());
  const high = runs.map((run) => run.slice());
  const corners = 2 ** uncertain.length;
  for (let corner = 0; corner < corners; corner += 1) {
    const changed = rates.slice();
    for (const [bit, range] of uncertain.entries())
      changed[places[bit]!] = (corner >> bit) & 1 ? range.high : range.low;
    for (const [arm, run] of trajectories(plan, changed).entries()) widen(low[arm]!, high[arm]!, run);
  }
  const reactions = uncertain.map((range, at) => ({ ...range, rate: rates[places[at]!]! }));
  return { reactions, corners, low, high };
}

function widen(low: Trajectory, high: Trajectory, run: Trajectory): void {
  for (let at = 0; at < run.length; at += 1) {
    low[at] = Math.min(low[at]!, run[at]!);
    high[at] = Math.max(high[at]!, run[at]!);
  }
}
