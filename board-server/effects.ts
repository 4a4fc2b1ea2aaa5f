/** What the board takes from the world; tests pass their own. */
export interface BoardEffects {
  /** The present; may stand still or jump back, times written never do. */
  now(): Date;
  /** Cryptographically random bytes. */
  random(bytes: number): Buffer;
}
