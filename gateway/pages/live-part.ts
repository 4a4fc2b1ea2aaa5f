import { readChanges } from '../../contract/operations/changes.ts';
import { type Html, html } from './html.ts';

/** The newest event that a page shows; on a board without events, the time at which it had none. */
export interface LiveFrom {
  cursor: string | null;
  now: Date;
}

/**
 * The part of a page that shows the board. The script of a page that is `live` renews it whenever the feed reports an
 * event, and says so in the line above; elsewhere a reload does. Items with an id keep their place and their focus.
 */
export function livePart({ cursor, now }: LiveFrom, content: Html): Html {
  const feed = `${readChanges.path}?${new URLSearchParams({ since: cursor ?? now.toISOString() })}`;
  return html`<p id="live-state" class="soft" role="status">Reload the page to see what is new.</p>
<div id="live" data-feed="${feed}">${content}</div>`;
}
