/** Times of the board: integers of microseconds inside, ISO 8601 with six digits outside. */

export function toIso(micros: number): string {
  const milliseconds = Math.floor(micros / 1000);
  const rest = String(micros - milliseconds * 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}

export function toMicros(date: Date): number {
  return date.getTime() * 1000;
}
