/** Names that differ only in case, width or blanks are one agent: a capital letter lets nobody confirm himself. */
export function agentKeyOf(agentName: string): string {
  return agentName.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}
