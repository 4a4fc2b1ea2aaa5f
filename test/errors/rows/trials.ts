import { checkReceipt } from '../../../contract/operations/trials/receipts.ts';
import type { OperationErrors } from '../table.ts';

/** Searches, counts and records of trials. */

export const TRIALS_ERRORS: readonly OperationErrors[] = [
  {
    operation: 'trials-search',
    codes: {
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
  },
  {
    operation: 'trials-coverage',
    codes: { INVALID_PARAM: { path: '/api/v1/trials/coverage?topic=no-such-topic', parameter: 'topic' } },
  },
  {
    operation: 'trials-landscape',
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/landscape?startedAfter=2026-02-30', parameter: 'startedAfter' },
      NOT_FOUND: { path: '/api/v1/trials/landscape?against=20200101T000000Z-00000000' },
    },
  },
  { operation: 'trials-trend', codes: { INVALID_PARAM: { path: '/api/v1/trials/trend?by=month', parameter: 'by' } } },
  { operation: 'trials-facets', codes: { INVALID_PARAM: { path: '/api/v1/trials/facets?page=2', parameter: 'page' } } },
  {
    operation: 'trials-results-gap',
    codes: { INVALID_PARAM: { path: '/api/v1/trials/results-gap?by=city', parameter: 'by' } },
  },
  {
    operation: 'receipt',
    usual: { path: checkReceipt.example },
    codes: {
      INVALID_PARAM: { path: '/api/v1/receipts/r1.coverage' },
    },
  },
  {
    operation: 'trials-values',
    usual: { path: '/api/v1/trials/values?field=topic' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/values?field=sponsor', parameter: 'field' },
    },
  },
  {
    operation: 'trials-registrations',
    usual: { path: '/api/v1/trials/registrations?id=NCT04000009' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/registrations?id=%3B', parameter: 'id' },
      MISSING_ID: { path: '/api/v1/trials/registrations' },
      TRIAL_NOT_FOUND: { path: '/api/v1/trials/registrations?id=NCT00000000' },
    },
  },
  { operation: 'trials-stats' },
  {
    operation: 'trials-detail',
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/{trial}?includeRaw=yes', parameter: 'includeRaw' },
      TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000' },
      TRIALS_UNAVAILABLE: { path: '/api/v1/trials/{trial}?includeRaw=true', on: 'index without Parquet files' },
    },
  },
  {
    operation: 'trials-changes',
    codes: { INVALID_PARAM: { path: '/api/v1/trials/changes?since=20000101T000000Z-00000000', parameter: 'since' } },
  },
  {
    operation: 'trials-history',
    usual: { path: '/api/v1/trials/wt_000000000000/history' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/%3B/history' },
      TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/history' },
    },
  },
  {
    operation: 'trials-compare',
    usual: { path: '/api/v1/trials/wt_000000000000/compare' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/%3B/compare' },
      TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/compare' },
    },
  },
  {
    operation: 'trials-sites',
    usual: { path: '/api/v1/trials/wt_000000000000/sites' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/{trial}/sites?facility=%22%22', parameter: 'facility' },
      TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/sites' },
    },
  },
  {
    operation: 'trials-proof',
    usual: { path: '/api/v1/trials/{trial}/proof' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/{trial}/proof?since=0', parameter: 'since' },
      TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/proof' },
      NOT_FOUND: { path: '/api/v1/trials/{trial}/proof?since=9' },
    },
  },
  {
    operation: 'trials-related',
    usual: { path: '/api/v1/trials/wt_000000000000/related' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/trials/{trial}/related?include=everything', parameter: 'include' },
      TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/related' },
      RELATED_RESEARCH_UNAVAILABLE: { path: '/api/v1/trials/{trial}/related', on: 'index without Parquet files' },
    },
  },
];
