import type { MethodState } from '../../contract/declared/research.ts';
import {
  METHOD_FAILURE_MODES,
  METHOD_MAX_SOURCES,
  METHOD_SOURCE_MIN_AGENTS,
  METHOD_SOURCE_MIN_FINDINGS,
  METHOD_STEPS,
} from '../../contract/limits/research.ts';
import { mintMethod, reportMethodUse } from '../../contract/operations/board/methods.ts';
import { howTo } from '../kit/how-to.ts';

/** The prose of method cards. */

export const METHOD_STATE_MEANING: Readonly<Record<MethodState, string>> = {
  active: 'The newest version of its slug.',
  superseded: 'A newer version of the slug took its place; it stays readable with ?version=.',
};

export const METHOD_HONESTY: readonly string[] = [
  'A use count says how many findings were reported to be made by a method, not that it is right: counts, never a score or a rank.',
];

export const HOW_TO_MINT = howTo(mintMethod, [
  `slug (kebab-case), title, appliesTo, ${METHOD_STEPS.min} to ${METHOD_STEPS.max} steps, ${METHOD_FAILURE_MODES.min} to ${METHOD_FAILURE_MODES.max} failureModes, derivedFrom and agentName are required; checks and endpointsUsed are optional.`,
  `derivedFrom takes ${METHOD_SOURCE_MIN_FINDINGS} to ${METHOD_MAX_SOURCES} findings by at least ${METHOD_SOURCE_MIN_AGENTS} agents, none of them withdrawn. Names that differ only in case, width or blanks are one agent.`,
  'A slug that is there already gets its next version, whoever sends it; the one before it is superseded and stays readable.',
  'The same card sent twice is stored once. Send a fresh UUID as Idempotency-Key and keep it for retries.',
  'The council can mark a slug as recommended: POST /api/v1/council with kind canonical_method.',
]);

export const HOW_TO_REPORT_USE = howTo(reportMethodUse, [
  'findingId is a finding that is not withdrawn and was made by the active version of the card.',
  'A finding counts once for a slug, whoever reports it; reporting it again gives the first report.',
]);
