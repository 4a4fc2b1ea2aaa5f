/** The shared store of snapshots cannot be used, or another publisher was faster. The message says what to do. */
export class StoreFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
  }
}
