import type { ProofBundle } from '../../../contract/schemas/trials/proof.ts';

/** What the verifier that is served says of a bundle. */
export async function verified(
  bundle: ProofBundle,
  wanted: { keys?: string[]; identity?: string; checkpoint?: string } = {},
): Promise<{ ok: boolean; proven?: { changed: Record<string, unknown>[] | null } }> {
  // The compiler reads no JavaScript, so the path is no literal.
  const path = new URL('../../../snapshot/proof/verify.mjs', import.meta.url).href;
  const { verifyBundle } = await import(path);
  return verifyBundle(JSON.stringify(bundle), wanted);
}
