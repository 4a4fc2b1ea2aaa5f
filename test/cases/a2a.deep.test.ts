import { A2A_DOOR } from './doors/a2a.ts';
import { holdCases } from './hold-cases.ts';

const LACKS = [
  'discovery',
  'openapi',
  'contract',
  'keys-create',
  'keys-read',
  'keys-change',
  'keys-revoke',
  'changes-export',
  'changes-head',
  'webhooks-create',
  'webhooks-read',
  'webhooks-act',
  'webhooks-delete',
  'webhooks-deliveries',
  'snapshot-file',
  'snapshot-folder-file',
  'snapshot-log-file',
  'snapshot-log-checkpoint',
  'patient-model-references',
  'private-patient-model-guide',
  'usage',
  'sdk',
  'sdk-file',
  'healthz',
  'readyz',
];

holdCases(A2A_DOOR, {
  lacks: LACKS,
  apart: { 'an unknown argument is dropped and named': 'it is refused, with the names that are near' },
});
