import { type Html, html } from '../html.ts';

/** How much is held of each registry that is not held whole, from `_meta.provenance`. */
export function heldNote(provenance: Readonly<Record<string, unknown>> | undefined): Html | false {
  const held = (provenance?.held ?? []) as string[];
  return held.length > 0 && html`<p class="notice" role="note">Held here: ${held.join('; ')}.</p>`;
}
