/** How what is made before anybody asks for it gives way to others. */
export interface Preparation {
  /** After each slice of a millisecond or two. */
  pause: () => Promise<unknown>;
  /** Whether it may still be asked for. */
  isWanted: () => boolean;
}
