import { checkReceipt } from '../../../contract/operations/trials/receipts.ts';
import type { ErrorTable } from '../table.ts';

/** Searches, counts and records of trials. */

export const TRIALS_ERRORS: ErrorTable = {
  'trials-search': {
    INVALID_PARAM: [
      { path: '/api/v1/trials/search?q=%22%22', parameter: 'q' },
      {
        path: '/api/v1/trials/search?page=x&pageSize=0&status=asleep',
        parameter: 'status',
        issues: ['status', 'page', 'pageSize'],
      },
      { path: '/api/v1/trials/search?pageSize=101', parameter: 'pageSize' },
      // What nobody knows is refused, and never counted as nought.
      { path: '/api/v1/trials/search?country=Narnia', parameter: 'country' },
      { path: '/api/v1/trials/search?phase=PHASE9', parameter: 'phase' },
      { path: '/api/v1/trials/search?topic=type1-diabets', parameter: 'topic' },
    ],
  },
  'trials-coverage': { INVALID_PARAM: { path: '/api/v1/trials/coverage?topic=no-such-topic', parameter: 'topic' } },
  'trials-landscape': {
    INVALID_PARAM: { path: '/api/v1/trials/landscape?startedAfter=2026-02-30', parameter: 'startedAfter' },
    NOT_FOUND: { path: '/api/v1/trials/landscape?against=20200101T000000Z-00000000' },
  },
  'trials-trend': { INVALID_PARAM: { path: '/api/v1/trials/trend?by=month', parameter: 'by' } },
  'trials-facets': { INVALID_PARAM: { path: '/api/v1/trials/facets?page=2', parameter: 'page' } },
  'trials-results-gap': { INVALID_PARAM: { path: '/api/v1/trials/results-gap?by=city', parameter: 'by' } },
  receipt: { usual: { path: checkReceipt.example }, INVALID_PARAM: { path: '/api/v1/receipts/r1.coverage' } },
  'trials-values': {
    usual: { path: '/api/v1/trials/values?field=topic' },
    INVALID_PARAM: { path: '/api/v1/trials/values?field=sponsor', parameter: 'field' },
  },
  'trials-registrations': {
    usual: { path: '/api/v1/trials/registrations?id=NCT04000009' },
    INVALID_PARAM: { path: '/api/v1/trials/registrations?id=%3B', parameter: 'id' },
    MISSING_ID: { path: '/api/v1/trials/registrations' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/registrations?id=NCT00000000' },
  },
  'trials-stats': {},
  'trials-detail': {
    INVALID_PARAM: { path: '/api/v1/trials/{trial}?includeRaw=yes', parameter: 'includeRaw' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/{trial}?includeRaw=true', on: 'index without Parquet files' },
  },
  'trials-changes': {
    INVALID_PARAM: { path: '/api/v1/trials/changes?since=20000101T000000Z-00000000', parameter: 'since' },
  },
  'trials-history': {
    usual: { path: '/api/v1/trials/wt_000000000000/history' },
    INVALID_PARAM: { path: '/api/v1/trials/%3B/history' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/history' },
  },
  'trials-compare': {
    usual: { path: '/api/v1/trials/wt_000000000000/compare' },
    INVALID_PARAM: { path: '/api/v1/trials/%3B/compare' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/compare' },
  },
  'trials-sites': {
    usual: { path: '/api/v1/trials/wt_000000000000/sites' },
    INVALID_PARAM: { path: '/api/v1/trials/{trial}/sites?facility=%22%22', parameter: 'facility' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/sites' },
  },
  'trials-proof': {
    usual: { path: '/api/v1/trials/{trial}/proof' },
    INVALID_PARAM: { path: '/api/v1/trials/{trial}/proof?since=0', parameter: 'since' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/proof' },
    NOT_FOUND: { path: '/api/v1/trials/{trial}/proof?since=9' },
  },
  'trials-related': {
    usual: { path: '/api/v1/trials/wt_000000000000/related' },
    INVALID_PARAM: { path: '/api/v1/trials/{trial}/related?include=everything', parameter: 'include' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/related' },
    RELATED_RESEARCH_UNAVAILABLE: { path: '/api/v1/trials/{trial}/related', on: 'index without Parquet files' },
  },
};
