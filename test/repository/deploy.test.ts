import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/tree.ts';

const DEPLOY = join(ROOT, 'deploy');
const NODES = { NODE1: '10.0.0.1', NODE2: '10.0.0.2', NODE3: '10.0.0.3' };

/** What the program says of the files, and how it ends; the test is skipped where the program is not installed. */
function checked(program: string, words: string[], env: Record<string, string> = {}) {
  const run = spawnSync(program, words, { cwd: DEPLOY, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
  return { code: run.status, said: `${run.stdout}${run.stderr}` };
}

const has = (program: string): boolean => existsSync(program);

const COMPOSE = readFileSync(join(DEPLOY, 'compose/compose.yml'), 'utf8');

/** The settings of one of the blocks at the head of compose.yml, as they are written there. */
function settingsOf(block: string): Record<string, string> {
  const text = new RegExp(`^${block}:.*\\n((?:  .*\\n)+)`, 'm').exec(COMPOSE)![1]!;
  return Object.fromEntries(
    [...text.matchAll(/^ {2}([A-Z_0-9]+): (.*)$/gm)].map(([, name, value]) => [
      name!,
      value!.replaceAll(/\$\{(NODE\d)\}/g, (_, node: keyof typeof NODES) => NODES[node]),
    ]),
  );
}

describe('deploy/', () => {
  it.skipIf(!has('/usr/bin/systemd-analyze'))('has units that systemd accepts', () => {
    const units = globSync('systemd/*.{service,timer}', { cwd: DEPLOY });
    expect(units).toHaveLength(5);
    expect(checked('/usr/bin/systemd-analyze', ['verify', ...units.map((unit) => `./${unit}`)])).toEqual({
      code: 0,
      said: '',
    });
  });

  it.skipIf(!has('/usr/sbin/haproxy'))('has a configuration that haproxy accepts', () => {
    expect(checked('/usr/sbin/haproxy', ['-c', '-f', 'compose/haproxy.cfg'], NODES)).toEqual({
      code: 0,
      said: 'Configuration file is valid\n',
    });
  });

  it.skipIf(!has('/usr/bin/patroni'))('has a configuration that Patroni accepts', () => {
    const node = {
      PATRONI_NAME: 'node1',
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: '10.0.0.1:5432',
      PATRONI_POSTGRESQL_LISTEN: '127.0.0.1:45432',
      PATRONI_RESTAPI_LISTEN: '127.0.0.1:48008',
      PATRONI_RESTAPI_CONNECT_ADDRESS: '10.0.0.1:8008',
    };
    const environment = { ...settingsOf('x-postgres-settings'), ...node };
    expect(checked('/usr/bin/patroni', ['--validate-config', 'compose/patroni.yml'], environment)).toEqual({
      code: 0,
      said: '',
    });
  });

  it('has a script of backups that the shell reads', () => {
    expect(checked('/bin/sh', ['-n', 'compose/backup.sh'])).toEqual({ code: 0, said: '' });
  });

  it('names in compose.yml only settings that the program knows, and files that are there', () => {
    const help = execFileSync(process.execPath, ['tools/start.ts', '--help'], { cwd: ROOT, encoding: 'utf8' });
    const blocks = ['x-store', 'x-snapshots', 'x-behind-proxy', 'x-board-settings', 'x-gateway-settings'];
    const settings = blocks.flatMap((block) => Object.keys(settingsOf(block)));
    expect(settings).toContain('SNAPSHOT_STORE');
    expect(settings.filter((name) => !help.includes(`  ${name} `))).toEqual([]);
    for (const [, file] of COMPOSE.matchAll(/\.\/([a-z0-9.-]+):\//g)) {
      const names = [file!, file!.replace('.json', '.example.json')];
      expect(
        names.some((name) => existsSync(join(DEPLOY, 'compose', name))),
        file,
      ).toBe(true);
    }
  });

  it("speaks version 2 of etcd's interface, by which the Patroni of Debian 12 loses no write", () => {
    expect(COMPOSE).toContain('PATRONI_ETCD_HOSTS:');
    expect(COMPOSE).not.toContain('PATRONI_ETCD3_HOSTS');
    expect(COMPOSE).toContain("ETCD_ENABLE_V2: 'true'");
  });

  it('gives no container a secret that it does not need, and asks for no value that env.example leaves out', () => {
    expect(COMPOSE).not.toContain('env_file');
    const secrets = (block: string) =>
      [...block.matchAll(/\$\{(\w+(?:PASSWORD|SECRET\w*|KEY_ID))/g)].map(([, name]) => name!);
    const held = (block: string) => [...new Set(secrets(Object.values(settingsOf(block)).join(' ')))].toSorted();
    expect(held('x-etcd-settings')).toEqual([]);
    expect(held('x-store')).toEqual(['BOARD_PASSWORD']);
    expect(held('x-behind-proxy')).toEqual(['BOARD_SECRET']);
    expect(held('x-snapshots')).toEqual(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
    expect(held('x-board-settings')).toEqual([]);
    expect(held('x-gateway-settings')).toEqual(['REDIS_PASSWORD']);
    const given = readFileSync(join(DEPLOY, 'compose/env.example'), 'utf8').match(/^[A-Z][A-Z0-9_]*(?==)/gm)!;
    const asked = [...COMPOSE.matchAll(/(?<!\$)\$\{(\w+)(?::\?)?\}/g)].map(([, name]) => name!);
    expect(asked.filter((name) => !given.includes(name))).toEqual([]);
  });
});
