import { describe, expect, test } from 'vitest';
import { dialer } from '../../../board-server/webhooks/http.ts';
import { TargetPolicy, TargetRefused } from '../../../board-server/webhooks/target.ts';
import { boardForAll } from '../../support/board/board.ts';
import { openReceiver } from '../../support/receiver.ts';

/** Locates and posts, as an attempt does. */
async function dial(policy: TargetPolicy, url: string, { wantsReply = false, replyMs = 60_000 } = {}) {
  const never = new AbortController().signal;
  const { locate, post } = dialer(policy, replyMs);
  const target = await locate(url, 0, never);
  if (!('address' in target)) return target;
  return post(target, { headers: {}, body: '{"type":"x"}', wantsReply }, never);
}

/** Hosts, in many forms, that must never be dialled. */
const INTERNAL = `
  127.0.0.1 127.0.0.1. 127.1 localhost localhost. a.localhost [::1] [::] [::ffff:127.0.0.1]
  [::ffff:8.8.8.8] [::127.0.0.1] 0.0.0.0 2130706433 0x7f.1 0177.0.0.1 １２７.0.0.1 10.0.0.1 172.16.0.1
  192.168.1.1 169.254.169.254/latest/meta-data 100.64.0.1 168.63.129.16 198.18.0.1 224.0.0.1
  255.255.255.255 [fd00::1] [fe80::1] [fec0::1] [fd00:ec2::254] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
  [2002:7f00:1::] [2001:0:7f00:1::] [2001:db8::1] [ff02::1]
`
  .trim()
  .split(/\s+/)
  .map((host) => `http://${host}/`);

/** Texts that are not an absolute http(s) address, or not one that may be a target. */
const UNUSABLE = [
  ...'hook /hook //example.com/hook https:example.com http:/example.com http:// ftp://example.com/'.split(' '),
  ...'file:///etc/passwd javascript:alert(1) http://user@example.com/ http://:secret@example.com/'.split(' '),
  ...'http://example.com:22/ http://example.com:1023/ http://example.com:99999/'.split(' '),
  ...['', 'http://exa mple.com/', ' http://example.com/', `http://example.com/${'x'.repeat(1982)}`],
];

describe('a webhook target', () => {
  const board = boardForAll();

  test.each(INTERNAL)('%s is INVALID_URL at creation and refused again when dialled', async (url) => {
    const { status, body } = await board.send('/api/v1/webhooks', { url });
    expect([status, body.error.code]).toEqual([400, 'INVALID_URL']);
    const policy = new TargetPolicy([], () => Promise.reject(new Error('no name server')));
    expect(await dial(policy, url)).toEqual({ status: null, reason: 'refused' });
  });

  test.each(UNUSABLE)('%j is refused by its form', (url) => {
    const policy = new TargetPolicy([], () => Promise.resolve(['93.184.216.34']));
    expect(() => policy.parse(url)).toThrow(TargetRefused);
  });

  test('may be of 2,000 characters, on ports 80, 443 and from 1024', () => {
    const policy = new TargetPolicy([], () => Promise.resolve(['93.184.216.34']));
    const longest = `http://example.com/${'x'.repeat(1981)}`;
    expect(longest).toHaveLength(2000);
    for (const url of [longest, 'https://example.com/', 'HTTP://example.com:80', 'http://example.com:1024/']) {
      expect(policy.parse(url)).toBeInstanceOf(URL);
    }
  });

  test('whose name has any private address is refused, now or when the name changes later', async () => {
    let answers = ['93.184.216.34', '2606:2800:220:1::1'];
    const policy = new TargetPolicy([], () => Promise.resolve(answers));
    const url = policy.parse('https://rebind.example/');
    expect(await policy.addressesOf(url)).toEqual(answers);
    for (const changed of [
      ['10.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:10.0.0.1'],
      ['fe80::1%eth0'],
      ['x'],
      [],
    ]) {
      answers = changed;
      await expect(policy.addressesOf(url)).rejects.toThrow(TargetRefused);
      expect(await dial(policy, url.href)).toEqual({ status: null, reason: 'refused' });
    }
  });

  test('in a range that the operator allows is reached, by name too, and its neighbours are not', async () => {
    await using receiver = await openReceiver();
    const policy = new TargetPolicy(['127.0.0.1', 'fd00::/64'], () => Promise.resolve(['127.0.0.1']));
    const named = receiver.url.replace('127.0.0.1', 'inside.example');
    for (const url of [receiver.url, named]) {
      expect(await dial(policy, url)).toMatchObject({ status: 204 });
    }
    expect(() => policy.parse('http://127.0.0.2/')).toThrow(TargetRefused);
    expect(policy.parse('http://[fd00::5]/')).toBeInstanceOf(URL);
    expect(() => policy.parse('http://[fd00:1::5]/')).toThrow(TargetRefused);
  });

  test('list that is no list of ranges is refused at start', () => {
    for (const bad of ['10.0.0.0/33', 'private', '10.0.0.0/']) {
      expect(() => new TargetPolicy([bad], () => Promise.resolve([]))).toThrow();
    }
  });
});

describe('a dial', () => {
  const policy = new TargetPolicy(['127.0.0.0/8'], () => Promise.reject(new Error('no name server')));

  test('reads no more than 4,096 bytes of a reply that never ends, and keeps its status', async () => {
    await using receiver = await openReceiver();
    receiver.answer((_one, response) => {
      response.writeHead(200);
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', flood);
      flood();
    });
    const result = await dial(policy, receiver.url, { wantsReply: true });
    expect(result).toEqual({ status: 200, retryAfter: null, reply: 'x'.repeat(4096) });
  });

  test('takes the status of a reply that is cut off after it', async () => {
    await using receiver = await openReceiver();
    receiver.answer((_one, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('part', () => response.destroy());
    });
    const result = await dial(policy, receiver.url, { wantsReply: true });
    expect(result).toMatchObject({ status: 200 });
  });

  test('gives a name that does not resolve as unreachable', async () => {
    const result = await dial(policy, 'https://nowhere.example/');
    expect(result).toEqual({ status: null, reason: 'unreachable' });
  });
});
