import { defineOperation } from '../../operation.ts';
import { booleanParameter, integerParameter } from '../../parameters.ts';
import { proofSchema } from '../../schemas/trials/proof.ts';
import { identifier } from './trials.ts';

const SIZE_MAX = 1_000_000_000;

export const proveTrial = defineOperation({
  id: 'trials-proof',
  method: 'GET',
  path: '/api/v1/trials/{id}/proof',
  summary: 'Prove that the snapshot holds a trial',
  description:
    'One small file that proves, without this service and without a network, that the served snapshot held a trial with these registrations, links and payload hashes: the rows with their Merkle paths, the statement whose SHA-256 is the identity of the snapshot, and the place of that identity in the log of publications under its newest checkpoint, signed where the operator has a key; with includeChanges=true also the changes by which it followed the snapshot before, all of them. node verify.mjs (GET /verify.mjs) checks it, and so does the page /verify. At most 65,536 bytes of data; links that find no place are left out and counted. An addition to the interface.',
  whenToUse: 'To keep evidence of what the index stated on a day, or to hand a claim to somebody who trusts nobody.',
  next: ['trials-detail', 'snapshot-log', 'snapshot'],
  server: 'index',
  names: { mcp: 'trials_proof', a2a: 'world_trial_proof', sdk: 'proveTrial' },
  tool: {
    title: 'Prove that the index held a trial',
    description:
      'A proof that the index held a trial with these registrations, in one small file that anybody can check without this service.',
  },
  bucket: 'read',
  costly: true,
  params: { id: identifier('Canonical id (wt_…) or a registry id; an id that a trial had before is refused.') },
  argumentNames: { id: 'canonicalId' },
  query: {
    since: integerParameter(
      1,
      SIZE_MAX,
      'Also prove that the log continues its checkpoint over so many identities, which was kept.',
    ).optional(),
    includeChanges: booleanParameter(
      'true adds all changes of the trial since the parent of the snapshot, and proves that there are no others.',
    ).default(false),
  },
  output: proofSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE', 'TRIAL_NOT_FOUND', 'NOT_FOUND'],
  cache: 'revalidate',
  example: '/api/v1/trials/{id}/proof',
});

export const PROOF_OPERATIONS = [proveTrial] as const;
