import { PATIENT_MODEL } from '../../contract/declared/patient-model.ts';
import type { PRIVATE_PATIENT_MODEL_OPERATIONS } from '../../contract/operations/service/private-patient-model.ts';
import type { Handlers } from '../../server-kit/mount.ts';

const { privateApi } = PATIENT_MODEL;

/** Said to anyone who looks for the private interface. */
export const NOT_DEPLOYED = 'The private patient-model interface is not part of this deployment.';

const WOULD_NEED = [
  'consent of the person whose data it is, for each use, that can be withdrawn',
  'an owner of the data, who alone issues and revokes scoped tokens',
  'storage apart from this service, encrypted, with deletion on request and a record of every access',
  'a review by those who are responsible for research on people and for data protection at the place where it runs',
  'a clear separation from care: a model run is no advice',
];

export const PRIVATE_RULES = [
  'Send no data of a person to this service: there is no account, and nothing here could hold it.',
  `Everything under ${privateApi.base} except this guide is refused with 401 AUTH_REQUIRED; only time, method and status of such a request are logged, and nothing of it is stored.`,
  'No credential opens it: none is issued.',
];

export const privatePatientModelHandlers: Handlers<typeof PRIVATE_PATIENT_MODEL_OPERATIONS, unknown> = {
  'private-patient-model-guide': () => ({
    data: {
      available: false,
      status: NOT_DEPLOYED,
      base: privateApi.base,
      access: privateApi.access,
      login: privateApi.login,
      signup: privateApi.signup,
      publicContract: '/api/v1/twin/patient-model',
      wouldNeed: WOULD_NEED,
      rules: PRIVATE_RULES,
    },
  }),
};
