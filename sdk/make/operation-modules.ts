import { argumentsOf } from '../../contract/interfaces/arguments.ts';
import { expectedOf } from '../../contract/parameters.ts';
import { type SdkMethod, sdkMethods } from './methods.ts';
import { comment, indented } from './schema-types.ts';
import { itemsOf } from './type-module.ts';

const MADE = "// Made from the service's contract; do not edit it by hand.";

/** `sdk/operations.ts`: where each method's arguments go, as data. */
export function tableModule(): string {
  return indented([
    MADE,
    "import type { Operation } from './operation.ts';",
    "import type { Operations } from './types.ts';",
    '',
    'export const OPERATIONS: { readonly [Name in keyof Operations]: Operation } = {',
    ...sdkMethods().map(row),
    '};',
  ]);
}

function row(method: SdkMethod): string {
  const { name, operation, bare, paging } = method;
  const all = argumentsOf(operation);
  const usual = operation.body === undefined ? 'query' : 'body';
  const placed = all
    .filter(
      ({ name: argument, place, target, aliases }) => place !== usual || target !== argument || aliases.length > 0,
    )
    .flatMap(({ name: argument, place, target, aliases }) => {
      const schema = place === 'path' ? operation.params?.[target] : undefined;
      const names = [argument, ...aliases];
      const placed = {
        place,
        target,
        ...(schema ? { expected: expectedOf(schema) } : {}),
        ...(aliases.length > 0 ? { names } : {}),
      };
      return names.map((one) => [one, placed] as const);
    });
  const items = itemsOf(method);
  const value = {
    method: operation.method,
    path: operation.path,
    ...(operation.body === undefined ? {} : { hasBody: true }),
    ...(all.some(({ name: argument }) => argument === 'idempotencyKey') ? { keyed: true } : {}),
    ...(all.some(({ name: argument, place }) => argument === 'wait' && place === 'query') ? { waits: true } : {}),
    ...(bare ? { bare } : {}),
    ...(paging ? { paging: { by: paging, ...(items === null ? {} : { items }) } } : {}),
    ...(placed.length > 0 ? { placed: Object.fromEntries(placed) } : {}),
  };
  return `${name}: ${JSON.stringify(value)},`;
}

/** `sdk/methods.ts`: one typed method for each operation. */
export function methodsModule(): string {
  return methodsClass('', (method) => [
    `${method.name}(${given(method, ' = {}')}): ${answer(method)} {`,
    `return this.call('${method.name}', given, options);`,
    '}',
  ]);
}

/** `methods.d.ts` of the package. */
export function methodsDeclaration(): string {
  return methodsClass('declare ', (method) => [`${method.name}(${given(method, '', '?')}): ${answer(method)};`]);
}

function methodsClass(declare: '' | 'declare ', linesOf: (method: SdkMethod) => readonly string[]): string {
  return indented([
    MADE,
    "import type { CallOptions } from './options.ts';",
    "import type { Operations } from './types.ts';",
    '',
    '/** One method for each operation; each takes one flat object and resolves with the whole answer. */',
    `export ${declare}abstract class Methods {`,
    '/** Calls an operation by the name of its method. */',
    "abstract call<Name extends keyof Operations>(name: Name, given: Operations[Name]['arguments'], options?: CallOptions): Promise<Operations[Name]['answer']>;",
    ...sdkMethods().flatMap((method) => [
      '',
      comment(`${method.operation.summary}. ${method.operation.description}`).trimEnd(),
      ...linesOf(method),
    ]),
    '}',
  ]);
}

/** The parameters of a method; where no argument is needed they have a default, or in a declaration a question mark. */
function given({ name, operation }: SdkMethod, byDefault: string, mark = ''): string {
  const optional = argumentsOf(operation).every(({ required }) => !required);
  return `given${optional ? mark : ''}: Operations['${name}']['arguments']${optional ? byDefault : ''}, options?: CallOptions`;
}

const answer = ({ name }: SdkMethod): string => `Promise<Operations['${name}']['answer']>`;
