/** The shared store of snapshots cannot be used, or another publisher was faster. The message says what to do. */
export class StoreFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
  }
}

/** Another publisher is at work. The message says who and until when. */
export class StoreLocked extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreLocked';
  }
}
