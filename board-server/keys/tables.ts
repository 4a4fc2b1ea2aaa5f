declare module '../store/tables.ts' {
  interface BoardTables {
    api_keys: ApiKeyRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface ApiKeyRow {
  id: string;
  key_hash: string;
  /** The group of addresses that made it; empty for one made before groups were counted. */
  group_hash: string;
  label: string;
  rate_limit: number;
  created_at: number;
  updated_at: number;
  revoked_at: number | null;
  expires_at: number;
}
