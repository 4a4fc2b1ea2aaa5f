import { recoveredShare } from './model.ts';

/**
 * Bounded least squares of the model on log ratios to the first visit. For a fixed stress ratio h the best loss rate k
 * has a closed form, so the fit is a search along one line, without a start value and without chance:
 * the same observations give the same bits.
 */

/** Per week; 0.2 loses all but 0.003 % of the mass in a year. */
export const LOSS_RATE_BOUNDS = { min: 0, max: 0.2 } as const;
/** Stressed over functional mass; at 10 a full recovery would raise C-peptide elevenfold. */
export const STRESS_RATIO_BOUNDS = { min: 0, max: 10 } as const;
/** One visit cannot determine two parameters. */
export const MIN_TRAINING_VISITS = 2;
/** Above it the two columns of the Jacobian point the same way to four digits: the data no longer tell k and h apart. */
export const MAX_CONDITION_NUMBER = 100;

/** One visit after week 0. */
export interface Visit {
  week: number;
  /** Natural logarithm of the value over that of week 0. */
  logRatio: number;
}

export type Bound = 'lower' | 'upper' | null;

export interface Fit {
  lossRate: number;
  stressRatio: number;
  sumOfSquares: number;
  atBound: { lossRate: Bound; stressRatio: Bound };
}

/** Grid of h: 0 and 501 points evenly spaced in the logarithm from 1e-4 to 10. */
const GRID: readonly number[] = [0, ...Array.from({ length: 501 }, (_, place) => 10 ** (-4 + place / 100))];
/** Halvings that bring an interval of doubles down to two neighbours. */
const MAX_HALVINGS = 120;

/** The parts of the problem that stay the same during the search. */
class Profile {
  readonly #weeks: readonly number[];
  readonly #logRatios: readonly number[];
  readonly #recovered: readonly number[];
  /** Sum of squared weeks: how much SSE grows per squared step of k. */
  readonly curvature: number;

  constructor(visits: readonly Visit[], recoveryRate: number) {
    this.#weeks = visits.map(({ week }) => week);
    this.#logRatios = visits.map(({ logRatio }) => logRatio);
    this.#recovered = this.#weeks.map((week) => recoveredShare(recoveryRate, week));
    this.curvature = this.#weeks.reduce((sum, week) => sum + week * week, 0);
  }

  /** The k that fits best at this h, bounds aside. */
  freeLossRate(h: number): number {
    let sum = 0;
    for (let at = 0; at < this.#weeks.length; at += 1) {
      sum += this.#weeks[at]! * (Math.log1p(h * this.#recovered[at]!) - this.#logRatios[at]!);
    }
    return sum / this.curvature;
  }

  lossRate(h: number): number {
    return Math.min(LOSS_RATE_BOUNDS.max, Math.max(LOSS_RATE_BOUNDS.min, this.freeLossRate(h)));
  }

  sumOfSquares(k: number, h: number): number {
    let sum = 0;
    for (let at = 0; at < this.#weeks.length; at += 1) sum += this.#residual(at, k, h) ** 2;
    return sum;
  }

  /** Half the derivative of SSE by h, with the best k for each h; exact if k is free and if k is at its bound. */
  slope(h: number): number {
    const k = this.lossRate(h);
    let sum = 0;
    for (let at = 0; at < this.#weeks.length; at += 1) {
      const recovered = this.#recovered[at]!;
      sum -= (this.#residual(at, k, h) * recovered) / (1 + h * recovered);
    }
    return sum;
  }

  #residual(at: number, k: number, h: number): number {
    return this.#logRatios[at]! + k * this.#weeks[at]! - Math.log1p(h * this.#recovered[at]!);
  }
}

/** The best k and h within their bounds; null if there are too few visits. Visits lie after week 0. */
export function fitVisits(visits: readonly Visit[], recoveryRate: number): Fit | null {
  if (visits.length < MIN_TRAINING_VISITS) return null;
  const profile = new Profile(visits, recoveryRate);
  const cost = (h: number): number => profile.sumOfSquares(profile.lossRate(h), h);
  const place = bestPlace(cost);
  const low = GRID[place - 1] ?? STRESS_RATIO_BOUNDS.min;
  const high = GRID[place + 1] ?? STRESS_RATIO_BOUNDS.max;
  // Both ends are candidates, because the slope need not vanish if the best h is a bound.
  const candidates = [GRID[place]!, zeroOfSlope(profile, low, high), STRESS_RATIO_BOUNDS.min, STRESS_RATIO_BOUNDS.max];
  const stressRatio = candidates.reduce((best, h) => (cost(h) < cost(best) ? h : best));
  const lossRate = profile.lossRate(stressRatio);
  return {
    lossRate,
    stressRatio,
    sumOfSquares: profile.sumOfSquares(lossRate, stressRatio),
    atBound: {
      lossRate: boundOf(lossRate, LOSS_RATE_BOUNDS),
      stressRatio: boundOf(stressRatio, STRESS_RATIO_BOUNDS),
    },
  };
}

/** The pure exponential, h = 0: a line through the log ratios. */
export function fitExponential(visits: readonly Visit[]): number | null {
  return visits.length === 0 ? null : new Profile(visits, 1).lossRate(0);
}

/**
 * Every k for which some h in its bounds brings SSE within `allowance` of the best fit. At a fixed h, SSE is a parabola
 * in k, so each h contributes an interval around its own best k, and the ends are a maximum and a minimum over h.
 */
export function lossRateInterval(
  visits: readonly Visit[],
  recoveryRate: number,
  fit: Fit,
  allowance: number,
): { low: number; high: number } {
  const profile = new Profile(visits, recoveryRate);
  const end = (h: number, direction: 1 | -1): number => {
    const centre = profile.freeLossRate(h);
    const room = fit.sumOfSquares + allowance - profile.sumOfSquares(centre, h);
    return room < 0 ? Number.NEGATIVE_INFINITY : direction * centre + Math.sqrt(room / profile.curvature);
  };
  const extreme = (direction: 1 | -1): number => {
    const cost = (h: number): number => -end(h, direction);
    const place = bestPlace(cost);
    const low = GRID[place - 1] ?? STRESS_RATIO_BOUNDS.min;
    const high = GRID[place + 1] ?? STRESS_RATIO_BOUNDS.max;
    const found = goldenSection(cost, low, high);
    return direction * Math.max(end(found, direction), end(GRID[place]!, direction), end(fit.stressRatio, direction));
  };
  return {
    low: Math.max(LOSS_RATE_BOUNDS.min, extreme(-1)),
    high: Math.min(LOSS_RATE_BOUNDS.max, extreme(1)),
  };
}

/** Correlation of the two estimates and condition of the problem, from the Jacobian of the log prediction. */
export function identifiability(
  visits: readonly Visit[],
  recoveryRate: number,
  stressRatio: number,
): { correlation: number; conditionNumber: number } {
  let weeks = 0;
  let stress = 0;
  let both = 0;
  for (const { week } of visits) {
    const recovered = recoveredShare(recoveryRate, week);
    const byStress = recovered / (1 + stressRatio * recovered);
    weeks += week * week;
    stress += byStress * byStress;
    both += week * byStress;
  }
  const correlation = Math.min(1, both / Math.sqrt(weeks * stress));
  // Singular values of two unit columns at this angle are the roots of 1 + c and 1 - c.
  return { correlation, conditionNumber: Math.sqrt((1 + correlation) / Math.max(1 - correlation, Number.EPSILON)) };
}

function bestPlace(cost: (h: number) => number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [place, h] of GRID.entries()) {
    const value = cost(h);
    if (value < least) {
      best = place;
      least = value;
    }
  }
  return best;
}

/** Halves the interval on the sign of the slope, which is sharper than comparing costs that are nearly equal. */
function zeroOfSlope(profile: Profile, from: number, to: number): number {
  let low = from;
  let high = to;
  for (let halving = 0; halving < MAX_HALVINGS; halving += 1) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (profile.slope(middle) < 0) low = middle;
    else high = middle;
  }
  return low + (high - low) / 2;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Brings an interval down by 0.618^80, about 2e-17 of its width. */
const GOLDEN_STEPS = 80;

function goldenSection(cost: (h: number) => number, from: number, to: number): number {
  let low = from;
  let high = to;
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let costLeft = cost(left);
  let costRight = cost(right);
  for (let step = 0; step < GOLDEN_STEPS; step += 1) {
    if (costLeft <= costRight) {
      [high, right, costRight] = [right, left, costLeft];
      left = high - GOLDEN * (high - low);
      costLeft = cost(left);
    } else {
      [low, left, costLeft] = [left, right, costRight];
      right = low + GOLDEN * (high - low);
      costRight = cost(right);
    }
  }
  return low + (high - low) / 2;
}

function boundOf(value: number, { min, max }: { min: number; max: number }): Bound {
  if (value <= min) return 'lower';
  return value >= max ? 'upper' : null;
}
