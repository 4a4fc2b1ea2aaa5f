import type { Called, Door, DoorName } from './doors.ts';

/** What one task cost one agent. */
export interface Cost {
  calls: number;
  refused: number;
  /** Of all answers, read as texts and read as structured content. */
  text: number;
  structured: number;
}

/** What an agent may know before it begins, beside the address. */
export interface Known {
  yesterday: string;
  /** The version of the snapshot that it read when it was here before. */
  earlierVersion: string;
}

/** One agent at one door: it knows the names of tools and what its answers told it, and nothing else. */
export class Agent {
  readonly cost: Cost = { calls: 0, refused: 0, text: 0, structured: 0 };
  readonly known: Known;
  readonly #door: Door;

  constructor(door: Door, known: Known) {
    this.#door = door;
    this.known = known;
  }

  get door(): DoorName {
    return this.#door.name;
  }

  /** Calls an operation by the door's name for it. A refusal counts, and ends the task with its text. */
  async call(operation: string, given: Record<string, unknown>, address = '10.1.1.1'): Promise<Called> {
    const called = await this.#door.call(operation, given, address);
    this.cost.calls += 1;
    this.cost.text += called.tokens.text;
    this.cost.structured += called.tokens.structured;
    if (called.ok) return called;
    this.cost.refused += 1;
    throw new Error(`${operation} was refused: ${JSON.stringify(called.data)}`);
  }
}
