import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '../../server-kit/config/env.ts';
import { LOOPBACK_S3 } from './loopback-s3.ts';
import { Member } from './member.ts';

/** The store of snapshots, a process of its own that holds its objects in memory. */
export function s3(folder: string, port: number): Member {
  return new Member({
    name: 's3',
    command: [process.execPath, fileURLToPath(new URL('loopback-s3.ts', import.meta.url)), String(port)],
    logFile: join(folder, 's3.log'),
    env: { PATH: environment().PATH },
    // It answers what is not signed with a refusal.
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 403,
  });
}

/** What reaches it. */
export function s3Settings(port: number): Record<string, string> {
  return {
    SNAPSHOT_STORE: `s3://${LOOPBACK_S3.bucket}/${LOOPBACK_S3.prefix}`,
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_REGION: LOOPBACK_S3.region,
    S3_ACCESS_KEY_ID: LOOPBACK_S3.accessKeyId,
    S3_SECRET_ACCESS_KEY: LOOPBACK_S3.secretAccessKey,
  };
}
