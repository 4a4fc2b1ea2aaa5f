import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readCurrent } from '../../../snapshot/format/versions/current.ts';
import { readHold } from '../../../snapshot/format/versions/state.ts';
import { quietEffects } from '../../../test/builders/working-database.ts';
import { deep } from '../../../test/support/runner/amount.ts';
import { TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { renderList, renderManifest } from '../../cli/reports.ts';
import { serve } from '../../cli/snapshot-commands.ts';
import { list, show } from '../retention/version-list.ts';
import { PublicationRefused } from './gate.ts';

/** An operator goes back to an older version: no run undoes it unless it is told to. */

const SINCE = '2026-11-21T03:15:00.500Z';
let published: TestPublisher;
let publisher: TestPublisher;
let older: string;
let newer: string;

// Both versions are published once; each test works on a copy.
beforeAll(async () => {
  published = await TestPublisher.of();
  older = (await published.publish()).version;
  await published.db.run("UPDATE registrations SET eligibility_text = 'Adults' WHERE registry = 'isrctn'");
  newer = (await published.publish()).version;
  return () => published[Symbol.asyncDispose]();
});
beforeEach(async () => {
  publisher = await published.copy();
});
afterEach(() => publisher[Symbol.asyncDispose]());

const run = (accept: string[] = []) => publisher.publish({ onlyIfNew: true, accept, reason: 'Ada: it was looked at' });

it('an older version that was chosen is held against equal and new content, and told', async () => {
  expect(await serve(publisher.snapshots, older, quietEffects())).toBe(newer);
  const refusal = await run().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PublicationRefused);
  const detail = `${older} is held since ${SINCE} by \`pipeline current\`; \`pipeline current ${newer}\` ends the hold with the newest version`;
  expect((refusal as PublicationRefused).breaches).toEqual([{ name: 'held', detail, examples: [] }]);
  expect(await readCurrent(publisher.snapshots)).toBe(older);
  expect(renderManifest(await show(publisher.snapshots, older))).toContain(
    `\nheld      since ${SINCE}: runs are refused until \`pipeline current VERSION\` names the newest one of \`pipeline list\`, or \`--accept held\`\n`,
  );
  const found = await list(publisher.snapshots);
  expect(found.snapshots.map(({ version, heldSince }) => [version, heldSince])).toEqual([
    [newer, null],
    [older, SINCE],
  ]);
  expect(renderList(found)).toMatch(new RegExp(`\n\\*  ${older} .* held since ${SINCE}\n`));
  expect(await show(publisher.snapshots, newer)).not.toHaveProperty('heldSince');
});

deep.it('a hold ends with its acceptance, and with the choice of the newest version', async () => {
  await serve(publisher.snapshots, older, quietEffects());
  const { version, manifest } = await run(['held']);
  const acceptance = { reason: 'Ada: it was looked at', at: SINCE };
  expect(manifest).toMatchObject({ parent: older, accepted: ['held'], acceptance });
  expect(renderManifest(manifest)).toContain(`accepted  held on ${SINCE}: Ada: it was looked at\n`);
  expect(await readHold(publisher.snapshots, version)).toBeNull();
  expect((await run()).version).toBe(version);

  expect(await serve(publisher.snapshots, older, quietEffects())).toBe(version);
  expect(await serve(publisher.snapshots, version, quietEffects())).toBeNull();
  expect((await run()).version).toBe(version);
});

it('no hold is set where the newer version is damaged, and an unreadable one stops a run', async () => {
  await writeFile(join(publisher.snapshots, newer, 'trials.parquet'), 'cut');
  expect(await serve(publisher.snapshots, older, quietEffects())).toBeNull();
  const state = join(publisher.snapshots, 'STATE.json');
  await writeFile(state, 'x');
  await expect(run()).rejects.toThrow(`${state} cannot be read: mend it, or remove it`);
  expect((await list(publisher.snapshots)).problem).toContain(`${state} cannot be read: mend it, or remove it`);
});
