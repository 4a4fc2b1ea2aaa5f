/** Markup whose tables are without the roles and labels that a phone needs, to read what is in the cells. */
export function plainTables(markup: string): string {
  return markup.replaceAll(
    /(?: class="(?:fits|stacks)"| role="(?:table|rowgroup|row|rowheader|columnheader|cell)"| data-label="[^"]*")/g,
    '',
  );
}
