/** Headers between a gateway and the servers behind it; none is ever passed on to a client. */
export const GATEWAY_HEADERS = {
  /** What the gateway proves itself with. */
  secret: 'x-board-secret',
  /** On an answer of a board that takes its caller for a stranger. */
  refused: 'x-board-refused',
  /** On an answer of an index: the snapshot that it serves. */
  snapshot: 'x-index-snapshot',
  /** What came of the receipts that a write cites: base64url of JSON. */
  receipts: 'x-board-receipts',
} as const;
