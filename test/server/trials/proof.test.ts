import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verified } from '../../support/checks/verified.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';
import { amountOf } from '../../support/runner/amount.ts';
import { twoVersions } from '../../support/two-versions.ts';

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));

const at = (...names: string[]): string => join(versions.snapshotsDir, versions.newer, ...names);

it('proves every trial of a page, in the log and from an earlier checkpoint, within 64 kB', async () => {
  const { body: found } = await gateway.get(`/api/v1/trials/search?pageSize=${amountOf({ quick: 4, deep: 20 })}`);
  const checkpoint = await readFile(join(versions.snapshotsDir, 'log', 'checkpoints', '1'), 'utf8');
  for (const { canonicalId, registrations } of found.data.trials) {
    const { status, body } = await gateway.get(`/api/v1/trials/${registrations[0].id}/proof?since=1`);
    expect(status).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(body.data))).toBeLessThan(65_536);
    expect(body._meta.snapshot).toBe(versions.newer);
    const wanted = { identity: body._meta.identity, checkpoint };
    expect(await verified(body.data, wanted)).toMatchObject({
      ok: true,
      proven: {
        trial: { canonical_id: canonicalId },
        registrations: registrations.map(({ registry, id }: { registry: string; id: string }) => ({ registry, id })),
        log: { index: 1, size: 2, signatures: [] },
        consistency: { from: 1, isKept: true },
      },
    });
  }
});

it('says what the proof of an unsigned snapshot cannot show', async () => {
  const { body: found } = await gateway.get('/api/v1/trials/search?pageSize=1');
  const { body } = await gateway.get(`/api/v1/trials/${found.data.trials[0].canonicalId}/proof`);
  expect(body._meta.signed).toBe(false);
  expect(body._meta.notices).toEqual([
    'Nothing signs this snapshot: verification can show that these rows belong to the snapshot with this identity, not who published it nor when. Give the verifier an identity or a checkpoint that you have from elsewhere (--identity, --checkpoint).',
  ]);
});

it('proves on request by which changes a trial followed the parent, and that there are no others', async () => {
  const { older, newer } = versions;
  const { body } = await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}?kind=trials-changed`);
  const [{ canonicalId, fields }] = body.data.entries;
  const proof = await gateway.get(`/api/v1/trials/${canonicalId}/proof?includeChanges=true`);
  const result = await verified(proof.body.data, { identity: proof.body._meta.identity });
  expect(result).toMatchObject({ ok: true, proven: { statement: { bound: { parent: expect.any(String) } } } });
  const changed = result.proven!.changed!;
  const named = changed.filter(({ kind }) => kind === 'trial-changed').map(({ field }) => field);
  expect(named).toEqual(fields.map(({ field }: { field: string }) => field).sort());
  const plain = await gateway.get(`/api/v1/trials/${canonicalId}/proof`);
  expect(plain.body.data).not.toHaveProperty('changes');
});

it('says of a first snapshot that there are no changes to prove', async () => {
  await using first = await twoVersions('older');
  await using gatewayOfFirst = await openGateway(first.snapshotsDir);
  const { body } = await gatewayOfFirst.get('/api/v1/trials/search?pageSize=1');
  const path = `/api/v1/trials/${body.data.trials[0].canonicalId}/proof?includeChanges=true`;
  const refused = await gatewayOfFirst.get(path);
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    404,
    'NOT_FOUND',
    `The version ${first.older} has no parent, and so no changes since. Ask for the proof without changes.`,
  ]);
});

it('refuses an id that was merged away, and names the trial that has it now', async () => {
  const { older, newer } = versions;
  const { body } = await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}?kind=trials-merged`);
  const [{ canonicalId, into }] = body.data.entries;
  const refused = await gateway.get(`/api/v1/trials/${canonicalId}/proof`);
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    404,
    'TRIAL_NOT_FOUND',
    `${canonicalId} was merged into ${into}; ask for the proof of that trial, whose row names its former ids.`,
  ]);
  const proof = await gateway.get(`/api/v1/trials/${into}/proof`);
  expect(JSON.parse(proof.body.data.tables.trials.rows[0].row).aliases).toContain(canonicalId);
});

it('gives nothing that the tree does not prove', async () => {
  const { body } = await gateway.get('/api/v1/trials/search?pageSize=1');
  const path = `/api/v1/trials/${body.data.trials[0].canonicalId}/proof`;
  const tree = at('proofs', 'trials.tree');
  const whole = await readFile(tree);
  try {
    await writeFile(
      tree,
      whole.map((byte) => byte ^ 1),
    );
    const refused = await gateway.get(path);
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      503,
      'TRIALS_UNAVAILABLE',
      'The rows of this trial could not be read or proven.',
    ]);
    await rm(tree);
    expect((await gateway.get(path)).status).toBe(503);
  } finally {
    await writeFile(tree, whole);
  }
  expect((await gateway.get(path)).status).toBe(200);
});
