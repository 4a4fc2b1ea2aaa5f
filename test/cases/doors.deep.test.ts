import { expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { deep } from '../support/runner/amount.ts';
import { isRefusal } from './case.ts';
import { HTTP_DOOR } from './doors/http.ts';
import { SDK_DOOR } from './doors/sdk.ts';
import { CASES } from './every-case.ts';
import { holdCases } from './hold-cases.ts';

it('every operation has a case in which it succeeds', () => {
  const succeeding = CASES.flatMap(({ steps }) => steps.filter((step) => !isRefusal(step)));
  const ids = new Set(succeeding.map(({ operation }) => operation));
  expect(OPERATIONS.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
});

it('credentials, files, probes and what describes REST are neither skills nor tools', () => {
  const lacking = (name: 'a2a' | 'mcp' | 'sdk') => OPERATIONS.filter(({ names }) => !names?.[name]).map(({ id }) => id);
  const files = ['snapshot-file', 'snapshot-folder-file', 'snapshot-log-file', 'snapshot-log-checkpoint', 'sdk-file'];
  const noMethods = [...files, 'private-patient-model-guide', 'healthz', 'readyz'];
  const noSkills = [
    ...['discovery', 'openapi', 'contract', 'usage', 'sdk', 'patient-model-references', 'changes-export'],
    ...['changes-head', 'keys-create', 'keys-read', 'keys-change', 'keys-revoke', 'webhooks-create'],
    ...['webhooks-read', 'webhooks-act', 'webhooks-delete', 'webhooks-deliveries', ...noMethods],
  ];
  expect(lacking('sdk').toSorted()).toEqual(noMethods.toSorted());
  expect(lacking('a2a').toSorted()).toEqual(noSkills.toSorted());
  expect(lacking('mcp').toSorted()).toEqual([...noSkills, 'protocol', 'board'].toSorted());
});

holdCases(HTTP_DOOR);

// The others, A2A and MCP among them (a2a.deep.test.ts, kits/cases-mcp.deep.test.ts), are compared with HTTP case by case.
deep.only(() => holdCases(SDK_DOOR));
