import { readChanges } from '../../../contract/operations/changes.ts';
import { type Html, html } from '../html.ts';

/** The newest event that a page shows, or the time at which the board had no events. */
interface LiveFrom {
  cursor: string | null;
  now: Date;
}

/**
 * The part of a page that shows the board. The script of a `live` page renews it when the feed reports an event, and
 * says so in the line above. Without script, the reader reloads the page. Items with an id keep their place and focus.
 */
export function livePart({ cursor, now }: LiveFrom, content: Html): Html {
  const feed = `${readChanges.path}?${new URLSearchParams({ since: cursor ?? now.toISOString() })}`;
  return html`<p id="live-state" class="soft" role="status">Reload the page to see what is new.</p>
<div id="live" data-feed="${feed}">${content}</div>`;
}
