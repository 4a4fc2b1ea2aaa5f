import { TWIN_BASELINE_ARM } from '../../contract/declared/research.ts';
import { TWIN_WORK_MAX_STEP_SPECIES } from '../../contract/limits/twin.ts';
import type { ExperimentInput } from '../../contract/schemas/research/twin.ts';
import type { ExperimentResult } from '../../contract/schemas/research/twin-result.ts';
import { TWIN_EXPERIMENT_VERSION } from '../../contract/version.ts';
import { observedErrors } from './observations.ts';
import { type ArmPlan, type Plan, planOf, shown, type Trajectory, trajectories } from './plan.ts';
import { sensitivityBounds } from './sensitivity.ts';
import { ArithmeticStopped, Budget } from './solver.ts';
import { verified } from './verify.ts';

export const EXPERIMENT_LIMITS = [
  'What the stated mechanism implies and no more: no evidence that the mechanism is right, no patient, no treatment effect, no cure.',
  'Mass action in one well-mixed compartment: no noise, no space, no delay.',
  'A passed verification says that the equations were solved to the stated bound.',
];

/** Why an experiment has no result, in words for its author. */
export class ExperimentRefused extends Error {
  override readonly name = 'ExperimentRefused';
}

/** Runs an experiment whose references were checked; the same input gives the same bytes. Throws ExperimentRefused. */
export function runExperiment(input: ExperimentInput, work = TWIN_WORK_MAX_STEP_SPECIES): ExperimentResult {
  const plan = planOf(input, new Budget(Math.floor(work / (input.model.species.length + 2))));
  const { network } = plan;
  let doing = 'the arms';
  try {
    const runs = trajectories(plan, network.rates);
    doing = 'the verification';
    const verification = verified(plan, runs);
    doing = 'the uncertainty runs';
    const bounds = sensitivityBounds(plan, runs, input.uncertainty ?? []);
    return {
      module: { id: 'twin-experiment', version: TWIN_EXPERIMENT_VERSION },
      model: described(input.model),
      times: Array.from(plan.times, shown),
      arms: [BASELINE, ...plan.arms].map(({ id, startStep, rateMultipliers }, arm) => ({
        id,
        control: arm === 0,
        startStep: arm === 0 ? null : startStep,
        rateMultipliers: { ...rateMultipliers },
        species: network.species.map((name, place) => ({
          id: name,
          values: column(runs[arm]!, place, network.species.length),
          low: bounds && column(bounds.low[arm]!, place, network.species.length),
          high: bounds && column(bounds.high[arm]!, place, network.species.length),
        })),
      })),
      verification: { ...verification, stepsTried: plan.budget.used },
      sensitivity: bounds && { reactions: bounds.reactions, corners: bounds.corners, says: SENSITIVITY_SAYS },
      observations: observedErrors(plan, runs, bounds, input),
      dataset: input.dataset ?? null,
      limits: EXPERIMENT_LIMITS,
    };
  } catch (error) {
    if (error instanceof ArithmeticStopped) throw new ExperimentRefused(refusal(error, doing, plan));
    throw error;
  }
}

const BASELINE: ArmPlan = { id: TWIN_BASELINE_ARM, startStep: 0, rateMultipliers: {} };
const SENSITIVITY_SAYS =
  'Smallest and largest value of the run with the stated rates and of one run for each combination of the ends of the ranges. A combination inside the ranges can lie outside of them; no probability is meant.';

function column(values: Trajectory, place: number, size: number): number[] {
  return Array.from({ length: values.length / size }, (_, step) => shown(values[step * size + place]!));
}

function described({ id, version, context, scope, provenance, timeUnit, concentrationUnit }: ExperimentInput['model']) {
  return { id, version, context, scope, provenance, timeUnit, concentrationUnit };
}

function refusal({ reason, time }: ArithmeticStopped, doing: string, { times, budget }: Plan): string {
  const where = `${doing} came to time ${shown(time)} of ${shown(times[times.length - 1]!)}`;
  const why =
    reason === 'budget'
      ? `the solver has tried ${budget.steps} steps, which is all that one experiment may take`
      : 'the next step would be too short to move the time on, as where concentrations grow without bound';
  return `${where}, then stopped: ${why}. Take fewer species, arms or uncertain rates, a shorter duration, or rates that are less far apart.`;
}
