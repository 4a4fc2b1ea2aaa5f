import type { Board } from '../store/board.ts';

/** A subscription's secret as its row holds it. */
export function sealedSecret({ sealer }: Board, webhookId: string, secret: string): string {
  return sealer.seal('webhook secret', webhookId, secret);
}

/** The secret that a row holds. Throws where it was sealed with another key than the board has now. */
export function openedSecret({ sealer }: Board, webhookId: string, sealed: string): string {
  const secret = sealer.open('webhook secret', webhookId, sealed);
  if (secret !== null) return secret;
  throw new Error(
    `the secret of subscription ${webhookId} cannot be opened: put back the key file that belongs to this board; its owner can also rotate the secret`,
  );
}
