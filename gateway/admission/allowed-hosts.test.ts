import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../server-kit/config/config.ts';
import { allowedHosts } from './allowed-hosts.ts';

const of = (environment: Record<string, string>) => allowedHosts(loadConfig(environment, '/x'));
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

describe('the names that the server answers to', () => {
  it('are local ones only while the server listens on this machine only', () => {
    expect(of({})).toEqual(LOCAL);
    for (const HOST of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) expect(of({ HOST })).toEqual(LOCAL);
  });

  it('are any while a server that listens to the world has no stated name', () => {
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'board.example']) expect(of({ HOST })).toBeNull();
  });

  it('are local ones and those that BASE_URL and ALLOWED_HOSTS state', () => {
    const stated = { BASE_URL: 'https://board.example:8443/x', ALLOWED_HOSTS: 'Other.example, ::2,[::3]' };
    const all = [...LOCAL, 'board.example', 'board.example:8443', 'other.example', '[::2]', '[::3]'];
    expect(of(stated)).toEqual(all);
    expect(of({ ...stated, HOST: '0.0.0.0' })).toEqual(all);
  });

  it('are any where ALLOWED_HOSTS says so', () => {
    expect(of({ ALLOWED_HOSTS: '*' })).toEqual(['*']);
  });

  it('are names: an address with a scheme or a port stops the start', () => {
    for (const ALLOWED_HOSTS of ['https://board.example', 'board.example:80', 'a b']) {
      expect(() => of({ ALLOWED_HOSTS })).toThrow('ALLOWED_HOSTS: expected host names without ports');
    }
  });
});
