// Keeps the element `live` as the server would draw it now: the feed of the board tells that something happened, and
// the page is asked for again. Without this script the page is the same and is reloaded by hand.

/** Events close together are one renewal. */
const GATHER_MS = 500;
/** Renewals, and what is said of them, are at least this far apart. */
const PAUSE_MS = 5000;
/** Leases run down without an event. */
const STALE_MS = 60_000;
/** After a refusal, of the feed or of the page. */
const RETRY_MS = 30_000;
const LISTENING = 'Live: what is new appears here by itself.';

const live = document.getElementById('live');
const state = document.getElementById('live-state');

/** Asks for the page again and shows what is new in it, not more often than every few seconds. */
class Renewal {
  #due;
  #busy = false;
  #at = Number.NEGATIVE_INFINITY;
  #events = 0;
  #told = 0;
  #failed = false;

  /** Whether something has been said of a renewal. */
  get told() {
    return this.#told > 0;
  }

  noteEvent() {
    this.#events += 1;
    this.plan(GATHER_MS);
  }

  plan(delay) {
    this.#due ??= setTimeout(() => this.run(), Math.max(delay, this.#at + PAUSE_MS - performance.now()));
  }

  cancel() {
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  async run() {
    this.cancel();
    if (this.#busy || document.hidden) return;
    this.#busy = true;
    this.#at = performance.now();
    const seen = this.#events;
    try {
      becomeLike(live, await drawnNow());
      if (seen > this.#told || this.#failed) {
        say(`Renewed at ${timeOfDay()} UTC: ${counted(seen)} since this page was opened.`);
      }
      this.#told = seen;
      this.#failed = false;
      // Those that came while the page was on its way.
      if (this.#events > seen) this.plan(GATHER_MS);
    } catch {
      this.#failed = true;
      say('Not renewed just now; trying again.');
      this.plan(RETRY_MS);
    } finally {
      this.#busy = false;
    }
  }
}

/** The events of the board from the one on that the page shows; goes on after the last one that came. */
class Feed {
  #renewal;
  #source;
  #again;
  #interrupted = false;
  #address = new URL(live.dataset.feed, location.href);

  constructor(renewal) {
    this.#renewal = renewal;
  }

  open() {
    this.close();
    this.#source = new EventSource(this.#address);
    this.#source.onopen = () => {
      if (this.#interrupted) say('The feed is back.');
      else if (!this.#renewal.told) say(LISTENING);
      this.#interrupted = false;
    };
    this.#source.onmessage = ({ lastEventId }) => {
      this.#address.searchParams.set('since', lastEventId);
      this.#renewal.noteEvent();
    };
    this.#source.onerror = ({ target }) => {
      this.#interrupted = true;
      say('The feed is interrupted; trying again.');
      // The browser comes back by itself, except after a refusal.
      if (target.readyState === EventSource.CLOSED) this.#again = setTimeout(() => this.open(), RETRY_MS);
    };
  }

  close() {
    clearTimeout(this.#again);
    this.#source?.close();
  }
}

/** While the page is looked at. */
function follow() {
  const renewal = new Renewal();
  const feed = new Feed(renewal);
  let stale;
  const start = () => {
    feed.open();
    stale = setInterval(() => renewal.run(), STALE_MS);
  };
  document.addEventListener('visibilitychange', () => {
    feed.close();
    clearInterval(stale);
    renewal.cancel();
    if (document.hidden) return;
    start();
    renewal.plan(0);
  });
  if (!document.hidden) start();
}

function say(text) {
  // The same words again would be read out again.
  if (state.textContent !== text) state.textContent = text;
}

function timeOfDay() {
  return new Date().toISOString().slice(11, 19);
}

function counted(events) {
  return events === 1 ? '1 event' : `${events} events`;
}

/** The element as the server draws it now. Throws where the page cannot be had. */
async function drawnNow() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) throw new Error(`the page was answered with ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live');
}

/**
 * Makes `shown` like `fresh` and keeps every node that is in both, by its key where it has one: focus, selection and
 * what a screen reader is at stay, and the browser keeps the scroll position. What holds the focus goes with a later
 * renewal.
 */
function becomeLike(shown, fresh) {
  if (shown.isEqualNode(fresh)) return;
  takeAttributes(shown, fresh);
  const wantedKeys = new Set([...fresh.children].map(keyOf));
  for (const child of [...shown.children]) if (!wantedKeys.has(keyOf(child))) takeOut(child);
  let place = shown.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const kept = keptFor(wanted, place, shown);
    if (kept === null) {
      shown.insertBefore(wanted, place);
      continue;
    }
    if (kept !== place && holdsFocus(kept)) place = passBehind(shown, place, kept);
    if (kept === place) place = place.nextSibling;
    else shown.insertBefore(kept, place);
    if (kept.nodeType === Node.ELEMENT_NODE) becomeLike(kept, wanted);
    else if (kept.nodeValue !== wanted.nodeValue) kept.nodeValue = wanted.nodeValue;
  }
  while (place !== null) {
    const next = place.nextSibling;
    takeOut(place);
    place = next;
  }
}

/** By what an element is the same as before: its id, of a row where its first link leads; empty for others. */
function keyOf(node) {
  if (node.nodeName === 'TR') return node.querySelector('a')?.getAttribute('href') ?? '';
  return node.id ?? '';
}

/** The node that is shown already for one that is wanted: the one of its key, else one of its kind at its place. */
function keptFor(wanted, place, shown) {
  const key = keyOf(wanted);
  if (key !== '') return [...shown.children].find((child) => keyOf(child) === key) ?? null;
  return place !== null && place.nodeName === wanted.nodeName && keyOf(place) === '' ? place : null;
}

/** Moves what stands from `place` on to behind `kept`, which would lose the focus if it were moved itself. */
function passBehind(shown, place, kept) {
  for (let node = place; node !== kept; ) {
    const next = node.nextSibling;
    shown.insertBefore(node, kept.nextSibling);
    node = next;
  }
  return kept;
}

function holdsFocus(node) {
  return node.contains(document.activeElement);
}

function takeOut(node) {
  if (!holdsFocus(node)) node.remove();
}

/** Whether a reader has opened something is the reader's business. */
function takeAttributes(shown, fresh) {
  for (const { name } of [...shown.attributes]) {
    if (name !== 'open' && !fresh.hasAttribute(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (name !== 'open' && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
}

if (live && state && 'EventSource' in globalThis) follow();
