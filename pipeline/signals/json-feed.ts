import { FeedFault } from './feed-fault.ts';
import type { RawItem } from './raw-item.ts';

type Json = Record<string, unknown>;

/** Items of a JSON Feed 1.0 or 1.1 document. Throws FeedFault. */
export function jsonItems(text: string, address: string): RawItem[] {
  const feed = parse(text);
  if (!isObject(feed) || !/^https?:\/\/jsonfeed\.org\/version\/1/.test(stringOf(feed, 'version'))) {
    throw new FeedFault('not-a-feed', 'it is JSON, but not a JSON Feed of version 1');
  }
  if (!Array.isArray(feed.items)) throw new FeedFault('malformed', 'its items are not a list');
  return feed.items.map((item: unknown) => itemOf(isObject(item) ? item : {}, address));
}

function itemOf(item: Json, address: string): RawItem {
  return {
    title: stringOf(item, 'title'),
    summary: stringOf(item, 'summary') || stringOf(item, 'content_text') || stringOf(item, 'content_html'),
    link: stringOf(item, 'url') || stringOf(item, 'external_url'),
    guid: stringOf(item, 'id'),
    base: address,
    published: stringOf(item, 'date_published'),
    updated: stringOf(item, 'date_modified'),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FeedFault('malformed', 'it is not complete JSON', { cause });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON Feed lets an id be a number. */
function stringOf(object: Json, key: string): string {
  const value = object[key];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}
