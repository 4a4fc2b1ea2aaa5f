/** Dense linear equations of at most a few dozen unknowns, in place. */

/** Factors the row-major `matrix` into L and U with row exchanges, noted in `order`; false if it is singular. */
export function factor(matrix: Float64Array, order: Int32Array): boolean {
  const size = order.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1) {
      if (Math.abs(matrix[row * size + column]!) > Math.abs(matrix[pivot * size + column]!)) pivot = row;
    }
    order[column] = pivot;
    if (pivot !== column) exchange(matrix, size, pivot, column);
    const top = matrix[column * size + column]!;
    if (top === 0 || !Number.isFinite(top)) return false;
    for (let row = column + 1; row < size; row += 1) {
      const share = matrix[row * size + column]! / top;
      matrix[row * size + column] = share;
      if (share === 0) continue;
      for (let at = column + 1; at < size; at += 1) matrix[row * size + at]! -= share * matrix[column * size + at]!;
    }
  }
  return true;
}

function exchange(matrix: Float64Array, size: number, one: number, other: number): void {
  for (let at = 0; at < size; at += 1) {
    const held = matrix[one * size + at]!;
    matrix[one * size + at] = matrix[other * size + at]!;
    matrix[other * size + at] = held;
  }
}

/** Replaces `right` by the solution of the equations whose matrix was factored. */
export function solve(matrix: Float64Array, order: Int32Array, right: Float64Array): void {
  const size = order.length;
  // Whole rows were exchanged, multipliers too, so all exchanges come first.
  for (let column = 0; column < size; column += 1) {
    const held = right[order[column]!]!;
    right[order[column]!] = right[column]!;
    right[column] = held;
  }
  for (let row = 1; row < size; row += 1) {
    let sum = right[row]!;
    for (let at = 0; at < row; at += 1) sum -= matrix[row * size + at]! * right[at]!;
    right[row] = sum;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = right[row]!;
    for (let at = row + 1; at < size; at += 1) sum -= matrix[row * size + at]! * right[at]!;
    right[row] = sum / matrix[row * size + row]!;
  }
}
