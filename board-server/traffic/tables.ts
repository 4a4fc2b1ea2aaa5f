declare module '../store/tables.ts' {
  interface BoardTables {
    gateway_traffic: GatewayTrafficRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. */
export interface GatewayTrafficRow {
  slot: number;
  door: string;
  status: string;
  requests: number;
}
