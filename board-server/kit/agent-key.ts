/** Names that differ only in case, width or blanks are one agent, so that nobody confirms himself by a capital letter. */
export function agentKeyOf(agentName: string): string {
  return agentName.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}
