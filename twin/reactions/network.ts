/** A mass-action network as arithmetic: rates, derivatives and their Jacobian over one array of concentrations. */

export interface Molecules {
  species: string;
  count: number;
}
export interface Reaction {
  id: string;
  rate: number;
  reactants: readonly Molecules[];
  products: readonly Molecules[];
}
export interface Pool {
  id: string;
  weights: Readonly<Record<string, number>>;
}
export interface Model {
  species: readonly { id: string; initial: number }[];
  reactions: readonly Reaction[];
  conservedPools?: readonly Pool[] | undefined;
}

/** dy/dt = f(y) with constant coefficients. */
export interface System {
  size: number;
  /** Writes dy/dt at `y` into `out`. */
  derivative(y: Float64Array, out: Float64Array): void;
  /** Writes the row-major Jacobian of `derivative` at `y` into `out`. */
  jacobian(y: Float64Array, out: Float64Array): void;
}

interface Step {
  rate: number;
  /** The place of each reactant molecule; two molecules of one species give its place twice. */
  reactants: Int32Array;
  changed: Int32Array;
  /** Net molecules of each changed species. */
  net: Float64Array;
}

export class Network {
  readonly species: readonly string[];
  readonly initial: Float64Array;
  readonly pools: readonly { id: string; weights: Float64Array }[];
  readonly #steps: readonly Step[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #reactions: ReadonlyMap<string, number>;

  /** Takes a model whose references were checked; throws an Error on an id that it does not have. */
  constructor({ species, reactions, conservedPools = [] }: Model) {
    this.species = species.map(({ id }) => id);
    this.initial = Float64Array.from(species, ({ initial }) => initial);
    this.#places = new Map(this.species.map((id, place) => [id, place]));
    this.#reactions = new Map(reactions.map(({ id }, place) => [id, place]));
    this.#steps = reactions.map((reaction) => this.#compiled(reaction));
    this.pools = conservedPools.map(({ id, weights }) => {
      const row = new Float64Array(this.species.length);
      for (const [name, weight] of Object.entries(weights)) row[this.placeOf(name)] = weight;
      return { id, weights: row };
    });
  }

  get rates(): Float64Array {
    return Float64Array.from(this.#steps, ({ rate }) => rate);
  }

  placeOf(species: string): number {
    return known(this.#places, species);
  }

  reactionPlace(reaction: string): number {
    return known(this.#reactions, reaction);
  }

  /** The equations under these rates, one for each reaction in its order. */
  system(rates: Float64Array): System {
    const size = this.species.length;
    const steps = this.#steps.map((step, place) => ({ ...step, rate: rates[place]! }));
    return {
      size,
      derivative: (y, out) => derivative(steps, y, out),
      jacobian: (y, out) => jacobian(steps, size, y, out),
    };
  }

  #compiled({ rate, reactants, products }: Reaction): Step {
    const net = new Map<number, number>();
    const add = (id: string, count: number): void => {
      const place = this.placeOf(id);
      net.set(place, (net.get(place) ?? 0) + count);
    };
    for (const { species, count } of reactants) add(species, -count);
    for (const { species, count } of products) add(species, count);
    const changes = [...net].filter(([, count]) => count !== 0);
    return {
      rate,
      reactants: Int32Array.from(
        reactants.flatMap(({ species, count }) => Array<number>(count).fill(this.placeOf(species))),
      ),
      changed: Int32Array.from(changes, ([place]) => place),
      net: Float64Array.from(changes, ([, count]) => count),
    };
  }
}

function known(places: ReadonlyMap<string, number>, id: string): number {
  const place = places.get(id);
  if (place === undefined) throw new Error(`the network has no ${id}`);
  return place;
}

function derivative(steps: readonly Step[], y: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (const { rate, reactants, changed, net } of steps) {
    let flux = rate;
    for (let at = 0; at < reactants.length; at += 1) flux *= y[reactants[at]!]!;
    for (let at = 0; at < changed.length; at += 1) out[changed[at]!]! += net[at]! * flux;
  }
}

function jacobian(steps: readonly Step[], size: number, y: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (const { rate, reactants, changed, net } of steps) {
    // The product rule over molecules: two molecules of one species are two factors, each with its own term.
    for (let factor = 0; factor < reactants.length; factor += 1) {
      let slope = rate;
      for (let at = 0; at < reactants.length; at += 1) if (at !== factor) slope *= y[reactants[at]!]!;
      const column = reactants[factor]!;
      for (let at = 0; at < changed.length; at += 1) out[changed[at]! * size + column]! += net[at]! * slope;
    }
  }
}
