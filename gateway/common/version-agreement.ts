/** A gateway that cannot prepare a version holds the others up no longer than this. */
const LIMIT_MS = 30_000;

interface Waiting<Member> {
  members: Map<Member, () => void>;
  timer: NodeJS.Timeout;
}

/**
 * Has all gateways change to a new version of the snapshot together. Each prepares it and waits for the word, which comes
 * when all that serve another version are prepared: a client that pages through several gateways then does not go back
 * and forth between two versions.
 */
export class VersionAgreement<Member> implements Disposable {
  readonly #limitMs: number;
  readonly #serving = new Map<Member, string>();
  readonly #waiting = new Map<string, Waiting<Member>>();
  #agreed: string | null = null;

  constructor(limitMs = LIMIT_MS) {
    this.#limitMs = limitMs;
  }

  /** Resolves when the member may serve the version. */
  staged(member: Member, version: string): Promise<void> {
    if (version === this.#agreed) {
      this.#serving.set(member, version);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      let waiting = this.#waiting.get(version);
      if (waiting === undefined) {
        const timer = setTimeout(() => this.#agree(version), this.#limitMs).unref();
        waiting = { members: new Map(), timer };
        this.#waiting.set(version, waiting);
      }
      waiting.members.set(member, resolve);
      this.#tryAll();
    });
  }

  /** The member has ended. */
  left(member: Member): void {
    this.#serving.delete(member);
    for (const [version, { members, timer }] of this.#waiting) {
      members.delete(member);
      if (members.size > 0) continue;
      clearTimeout(timer);
      this.#waiting.delete(version);
    }
    this.#tryAll();
  }

  #tryAll(): void {
    for (const [version, { members }] of this.#waiting) {
      if ([...this.#serving].every(([member, served]) => served === version || members.has(member)))
        this.#agree(version);
    }
  }

  #agree(version: string): void {
    const waiting = this.#waiting.get(version);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(version);
    this.#agreed = version;
    for (const [member, resolve] of waiting.members) {
      this.#serving.set(member, version);
      resolve();
    }
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }
}
