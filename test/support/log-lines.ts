import { type Logger, pino } from 'pino';

/** A log that keeps its lines in memory. */
export function keptLog(): { log: Logger; text(): string; lines(): Record<string, unknown>[] } {
  const chunks: string[] = [];
  const log = pino({ level: 'info' }, { write: (chunk: string) => void chunks.push(chunk) });
  return {
    log,
    text: () => chunks.join(''),
    lines: () => chunks.map((chunk) => JSON.parse(chunk) as Record<string, unknown>),
  };
}
