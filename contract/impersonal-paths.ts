import { PATIENT_MODEL } from './declared/patient-model.ts';
import { pageOf } from './interfaces/pages.ts';

const { privateApi } = PATIENT_MODEL;

/**
 * Where someone might send data of a person by mistake. Nothing of a request to these paths is repeated or logged, and
 * that includes a correlation id that could say something.
 */
const IMPERSONAL_PATHS = [
  '/api/v1/twin/patient-model',
  pageOf('page-patient-model').path,
  privateApi.base,
  privateApi.login,
  privateApi.signup,
] as const;

/** Whether the path is one of them or lies under one of them, however it is percent-encoded. */
export function isImpersonalPath(pathname: string): boolean {
  const path = decoded(pathname);
  return IMPERSONAL_PATHS.some((base) => path === base || path.startsWith(`${base}/`));
}

/** Whether the path belongs to the private patient-model interface, which is not part of any deployment of this code. */
export function isPrivatePath(pathname: string): boolean {
  const path = decoded(pathname);
  return path === privateApi.base || path.startsWith(`${privateApi.base}/`);
}

/** A path that cannot be decoded as a whole is read segment by segment. */
function decoded(pathname: string): string {
  if (!pathname.includes('%')) return pathname;
  return pathname
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    })
    .join('/');
}
