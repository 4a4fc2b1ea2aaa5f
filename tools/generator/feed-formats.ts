import type { FeedSource } from '../../pipeline/signals/feeds.ts';
import type { ItemText } from './feed-prose.ts';
import { element, escapeXml } from './xml.ts';

export interface SampleItem extends ItemText {
  /** Empty for none. */
  url: string;
  guid: string;
  /** Null: the feed states no date. */
  at: Date | null;
}

/** A JSON Feed 1.1 document. */
export function jsonFeed(feed: FeedSource, items: readonly SampleItem[]): string {
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.name,
    home_page_url: new URL('/', feed.address).href,
    feed_url: feed.address,
    language: feed.language,
    items: items.map(({ title, summary, url, guid, at }) => ({
      id: guid,
      ...(url === '' ? {} : { url }),
      title,
      content_html: summary,
      ...(at === null ? {} : { date_published: at.toISOString() }),
    })),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** An RSS 2.0, RSS 1.0 or Atom 1.0 document, as the feed's format says. */
export function xmlFeed(feed: FeedSource, items: readonly SampleItem[]): string {
  const lines = { rss: rssLines, rss1: rss1Lines, atom: atomLines, json: rssLines }[feed.format](feed, items);
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join('\n')}\n`;
}

function rssLines(feed: FeedSource, items: readonly SampleItem[]): string[] {
  return [
    '<rss version="2.0"><channel>',
    `${element('title', feed.name)}${element('link', new URL('/', feed.address).href)}${element('description', feed.why)}`,
    ...items.map((item) => {
      const link = item.url === '' ? '' : element('link', item.url);
      const guid = item.guid === '' ? '' : `<guid isPermaLink="false">${escapeXml(item.guid)}</guid>`;
      const date = item.at === null ? '' : element('pubDate', item.at.toUTCString());
      return `<item>${element('title', item.title)}${link}${guid}${date}<description><![CDATA[${item.summary}]]></description></item>`;
    }),
    '</channel></rss>',
  ];
}

function rss1Lines(feed: FeedSource, items: readonly SampleItem[]): string[] {
  return [
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<channel rdf:about="${escapeXml(feed.address)}">${element('title', feed.name)}</channel>`,
    ...items.map((item) => {
      const date = item.at === null ? '' : element('dc:date', item.at.toISOString().slice(0, 10));
      return `<item rdf:about="${escapeXml(item.guid)}">${element('title', item.title)}${element('link', item.url)}${element('description', item.summary)}${date}</item>`;
    }),
    '</rdf:RDF>',
  ];
}

function atomLines(feed: FeedSource, items: readonly SampleItem[]): string[] {
  return [
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${escapeXml(new URL('/', feed.address).href)}">`,
    `${element('title', feed.name)}${element('id', feed.address)}`,
    ...items.map((item) => {
      const link = item.url === '' ? '' : `<link href="${escapeXml(new URL(item.url).pathname)}"/>`;
      const date = item.at === null ? '' : element('updated', item.at.toISOString());
      return `<entry>${element('title', item.title)}${element('id', item.guid)}${link}${date}<summary type="html">${escapeXml(item.summary)}</summary></entry>`;
    }),
    '</feed>',
  ];
}
