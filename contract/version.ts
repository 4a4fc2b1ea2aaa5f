/** Name and versions that every envelope carries. */
export const API_NAME = 'trial-board';
export const API_PREFIX = '/api/v1';
export const API_VERSION = '1';
export const SCHEMA_VERSION = '1';
export const COORDINATION_CONTRACT_VERSION = '1.0.0';
export const A2A_PROTOCOL_VERSION = '0.3.0';
export const BETA_CELL_MODULE_VERSION = 't1d-beta-cell-1.0.0';
export const TWIN_EXPERIMENT_VERSION = 'twin-experiment-1.0.0';
export const TWIN_BENCHMARK_VERSION = 'twin-benchmark-1.0.0';
