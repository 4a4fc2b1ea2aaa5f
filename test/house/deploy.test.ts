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

/** Values of a file of `NAME=value` lines. */
function valuesOf(file: string): Record<string, string> {
  const lines = readFileSync(join(DEPLOY, file), 'utf8').split('\n');
  return Object.fromEntries(
    lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}

describe('deploy/', () => {
  it.skipIf(!has('/usr/bin/systemd-analyze'))('has units that systemd accepts', () => {
    const units = globSync('systemd/*.{service,timer}', { cwd: DEPLOY });
    expect(units.toSorted()).toEqual([
      'systemd/trial-board-backup.service',
      'systemd/trial-board-backup.timer',
      'systemd/trial-board-pipeline.service',
      'systemd/trial-board-pipeline.timer',
      'systemd/trial-board.service',
    ]);
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
    const secrets = Object.fromEntries(
      ['RESTAPI', 'SUPERUSER', 'REPLICATION', 'REWIND'].map((role) => [`PATRONI_${role}_PASSWORD`, 'a secret']),
    );
    const node = {
      PATRONI_NAME: 'node1',
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: '10.0.0.1:5432',
      PATRONI_POSTGRESQL_LISTEN: '127.0.0.1:45432',
      PATRONI_RESTAPI_LISTEN: '127.0.0.1:48008',
      PATRONI_RESTAPI_CONNECT_ADDRESS: '10.0.0.1:8008',
    };
    const environment = { ...valuesOf('compose/env.example'), ...secrets, ...node };
    expect(checked('/usr/bin/patroni', ['--validate-config', 'compose/patroni.yml'], environment)).toEqual({
      code: 0,
      said: '',
    });
  });

  it('says in the first line of every file that ran nowhere that it did not', () => {
    for (const file of ['Containerfile', 'compose/compose.yml', 'compose/postgres.Containerfile']) {
      expect(readFileSync(join(DEPLOY, file), 'utf8').split('\n')[0], file).toMatch(/^# Not (built|run) here: /);
    }
  });

  it('names in compose.yml only settings that the program knows, and files that are there', () => {
    const text = readFileSync(join(DEPLOY, 'compose/compose.yml'), 'utf8');
    const help = execFileSync(process.execPath, ['scripts/start.ts', '--help'], { cwd: ROOT, encoding: 'utf8' });
    const settings = /x-settings:.*?\n\n/s
      .exec(text)![0]
      .match(/^ {2}[A-Z_0-9]+(?=:)/gm)!
      .map((name) => name.trim());
    expect(settings.filter((name) => !help.includes(name))).toEqual([]);
    for (const [, file] of text.matchAll(/\.\/([a-z0-9.-]+):\//g)) {
      const names = [file!, file!.replace('.json', '.example.json')];
      expect(
        names.some((name) => existsSync(join(DEPLOY, 'compose', name))),
        file,
      ).toBe(true);
    }
  });
});
