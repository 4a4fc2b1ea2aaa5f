/** It made tables for the A2A tasks of gateways, which keep them in memory now; 0027-no-a2a-tasks.ts drops the tables. */
export async function up(): Promise<void> {}
