import type { OperationOutput } from '../../../contract/operation.ts';
import type { getPatientModel } from '../../../contract/operations/research/twin-patient-model.ts';
import { barChart } from '../../charts/bars.ts';
import { column, type DrawnPicture } from '../kit/picture.ts';

type Contract = Pick<OperationOutput<typeof getPatientModel>, 'modules' | 'dataRequirements' | 'version'>;

const HEIGHT_PX = 400;

const COLUMNS = [
  column('data', 'Kind of data', 'its key in the inventory'),
  column('module', 'Module', 'of the model'),
  column('needed', 'Needed', 'whether the module needs this kind of data', 'boolean'),
  column('purpose', 'What it is for', 'the kind of data'),
];

/** What each module of the model needs: the contract computes nothing of a person, so that there is no curve to draw. */
export function patientNeedsPicture({ modules, dataRequirements, version }: Contract): DrawnPicture {
  const told = modules.map(({ title, needs }) => `${title}: ${needs.join(', ')}`);
  return {
    ...{ name: 'patient-model-needs', own: {}, title: 'Which modules need which kinds of data' },
    definition: `A piece of a bar is one module of the patient model ${version} that needs the kind of data. The length counts modules; it says nothing of how much a kind of data matters, and the order ranks nothing. No data of a person is in it.`,
    ...{ page: '/patient-model', columns: COLUMNS },
    rows: dataRequirements.flatMap(({ id, purpose }) =>
      modules.map(({ title, needs }) => ({ data: id, module: title, needed: needs.includes(id), purpose })),
    ),
    draw: (width) =>
      barChart(
        {
          categories: dataRequirements.map((one) => one.id),
          series: modules.map(({ title, needs }) => ({
            name: title,
            values: dataRequirements.map((one) => (needs.includes(one.id) ? 1 : 0)),
          })),
          unit: 'modules',
          ...{ stacked: true, lying: true },
        },
        { width, height: HEIGHT_PX, label: `What each module needs. ${told.join('; ')}.` },
      ),
  };
}
