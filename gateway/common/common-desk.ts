import { CommonState, type HealthReport } from './common.ts';
import { MergedMetrics } from './merged-metrics.ts';
import type { CallName, CallsMessage, DeskMessage, MetricValues } from './messages.ts';
import { VersionAgreement } from './version-agreement.ts';

/** How the supervisor reaches one gateway; `send` says nothing where its channel is closed. */
export interface Member {
  send(message: DeskMessage): void;
}

/** A gateway that does not tell its metrics in time is shown with those that it told last. */
const METRICS_WAIT_MS = 2_000;

/** What the gateways of one service know together, held by the process that supervises them. */
export class CommonDesk implements Disposable {
  readonly #state: CommonState;
  readonly #planned: number;
  /** In the order in which they began, each with the tokens of its places. */
  readonly #members = new Map<Member, Set<number>>();
  readonly #listening = new Set<Member>();
  readonly #agreement = new VersionAgreement<Member>();
  readonly #metrics = new MergedMetrics<Member>();
  readonly #collecting = new Map<number, () => void>();
  #lastId = 0;

  /** `planned`: how many gateways there are to be. */
  constructor(planned: number, now: () => Date, clock?: () => number) {
    this.#planned = planned;
    this.#state = new CommonState(now, clock);
  }

  /** Gateways that take connections. */
  get running(): number {
    return this.#listening.size;
  }

  joined(member: Member): void {
    this.#members.set(member, new Set());
  }

  /** The gateway takes connections. */
  listens(member: Member): void {
    this.#listening.add(member);
  }

  /** The gateway has ended: its places are free again. */
  left(member: Member): void {
    for (const token of this.#members.get(member) ?? []) this.#state.leave(token);
    this.#members.delete(member);
    this.#listening.delete(member);
    this.#agreement.left(member);
    this.#metrics.left(member);
  }

  /** Carries out calls in order. Answers that are known at once go back together; others follow when they are known. */
  received(member: Member, { calls }: CallsMessage): void {
    const answers: [number, unknown][] = [];
    for (const [id, name, ...args] of calls) {
      const result = this.#carryOut(member, name, args);
      if (id === 0) continue;
      if (result instanceof Promise) void result.then((value) => member.send({ answers: [[id, value]] }));
      else answers.push([id, result]);
    }
    if (answers.length > 0) member.send({ answers });
  }

  #carryOut(member: Member, name: CallName, args: unknown[]): unknown {
    switch (name) {
      case 'staged':
        return this.#agreement.staged(member, args[0] as string).then(() => true);
      case 'isFirst':
        return this.#members.keys().next().value === member;
      case 'metrics':
        return this.#metricsOfAll();
      case 'metricsAre':
        return this.#told(member, args[0] as number, args[1] as MetricValues);
      case 'forgetKey':
        return this.#forget(member, args[0] as string);
      case 'enter':
        return this.#enter(member, args as Parameters<CommonState['enter']>);
      case 'leave':
        this.#members.get(member)?.delete(args[0] as number);
        return this.#state.leave(args[0] as number);
      case 'health':
        return this.#health(args as Parameters<CommonState['health']>);
      default:
        return (this.#state[name] as (...given: unknown[]) => unknown).apply(this.#state, args);
    }
  }

  #health(args: Parameters<CommonState['health']>): HealthReport {
    return { ...this.#state.health(...args), processes: { running: this.running, of: this.#planned } };
  }

  #enter(member: Member, args: Parameters<CommonState['enter']>) {
    const entered = this.#state.enter(...args);
    if (typeof entered === 'number') this.#members.get(member)?.add(entered);
    return entered;
  }

  #forget(from: Member, hash: string): void {
    for (const member of this.#members.keys()) if (member !== from) member.send({ forget: hash });
  }

  async #metricsOfAll(): Promise<string> {
    await Promise.all([...this.#members.keys()].map((member) => this.#collect(member)));
    return this.#metrics.text();
  }

  #collect(member: Member): Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#collecting.delete(id);
        resolve();
      };
      const timer = setTimeout(end, METRICS_WAIT_MS);
      this.#collecting.set(id, end);
      member.send({ metricsOf: id });
    });
  }

  #told(member: Member, id: number, values: MetricValues): void {
    // What a gateway sent last may arrive after its end.
    if (this.#members.has(member)) this.#metrics.told(member, values);
    this.#collecting.get(id)?.();
  }

  [Symbol.dispose](): void {
    this.#agreement[Symbol.dispose]();
  }
}
