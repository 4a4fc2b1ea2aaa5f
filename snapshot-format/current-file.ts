/**
 * In the snapshots directory: one line, the version that is served. Replaced by rename. Alone in its module, for programs
 * that look only whether anything was published.
 */
export const CURRENT_FILE = 'CURRENT';
