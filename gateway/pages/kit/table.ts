import { type Html, html } from '../html.ts';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => Html | string | number;
  number?: true;
}

/** A table of so few columns fits a phone as it is. */
const FITS_COLUMNS = 2;
const FITS_COLUMNS_OF_NUMBERS = 3;

/**
 * A table whose first cell of a row is the heading of the row. On a phone each row is a card, in which the heading of
 * the column stands before its value. The roles are written out because a browser drops them from a table that is not
 * laid out as one.
 */
export function table<Row>(
  caption: Html | string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  rowClass: (row: Row) => string | false = () => false,
): Html {
  const kind = (column: Column<Row>): Html | false => column.number === true && html` class="number"`;
  const numbers = columns.slice(1).filter(({ number }) => number).length;
  const fits =
    columns.length <= FITS_COLUMNS || (columns.length <= FITS_COLUMNS_OF_NUMBERS && numbers === columns.length - 1);
  return html`<table role="table" class="${fits ? 'fits' : 'stacks'}">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader"${kind(column)}>${column.head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => {
    const [first, ...rest] = columns;
    const name = rowClass(row);
    return html`<tr role="row"${name && html` class="${name}"`}><th scope="row" role="rowheader"${first && kind(first)}>${first?.cell(row)}</th>${rest.map(
      (column) => html`<td role="cell" data-label="${column.head}"${kind(column)}>${column.cell(row)}</td>`,
    )}</tr>
`;
  })}</tbody></table>`;
}
