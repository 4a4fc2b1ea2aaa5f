import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openApiDocument } from './openapi-document.ts';

const document = openApiDocument('https://trials.example.org');
// biome-ignore lint/suspicious/noExplicitAny: looked into at every depth
const paths = document.paths as any;
const text = JSON.stringify(document);

/** The part of the document that a `$ref` points to. */
function resolved(ref: string): unknown {
  const steps = ref.slice(2).split('/');
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
}

/** The error codes that the document lists for a call, by status. */
function codes(path: string, method: string): Record<string, string[]> {
  const entries = Object.entries(paths[path][method].responses).map(([status, given]) => {
    const response = (given as { $ref?: string }).$ref ? resolved((given as { $ref: string }).$ref) : given;
    // biome-ignore lint/suspicious/noExplicitAny: looked into at every depth
    const parts: any[] = (response as any).content?.['application/json']?.schema?.properties?.error?.allOf ?? [];
    return [status, parts.flatMap((part) => part.properties?.code?.enum ?? [])] as const;
  });
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0));
}

/** Members that say what an object holds, and members that hold values and no schemas. */
const OBJECT_FORMS = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf'];
const VALUES = ['example', 'examples', 'default', 'const', 'enum'];

describe('the OpenAPI document', () => {
  it('has no reference that leads nowhere, and no component that nothing leads to', () => {
    const refs = new Set([...text.matchAll(/"\$ref":"(#[^"]+)"/g)].map((match) => match[1]!));
    expect([...refs].filter((ref) => resolved(ref) === undefined)).toEqual([]);
    const components = Object.entries(document.components ?? {}).flatMap(([kind, named]) =>
      kind === 'securitySchemes' ? [] : Object.keys(named ?? {}).map((name) => `#/components/${kind}/${name}`),
    );
    expect(components.filter((component) => !refs.has(component))).toEqual([]);
    expect(components.filter((component) => /__schema|Output$/.test(component))).toEqual([]);
  });

  it('has no two components that differ in case only, and no schema with the name of an operation', () => {
    const folded = Object.values(document.components ?? {}).flatMap((named) => Object.keys(named ?? {}));
    const lower = folded.map((name) => name.toLowerCase());
    expect(lower.filter((name, place) => lower.indexOf(name) !== place)).toEqual([]);
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map((match) => match[1]!.replaceAll('-', ''));
    const schemas = Object.keys(document.components?.schemas ?? {}).map((name) => name.toLowerCase());
    expect(schemas.filter((name) => ids.includes(name))).toEqual([]);
  });

  it('has no object that a generator would make one without members', () => {
    const bare: string[] = [];
    const walk = (part: unknown, path: string): void => {
      if (part === null || typeof part !== 'object') return;
      const schema = part as Record<string, unknown>;
      const isObject = [schema.type].flat().includes('object');
      if (isObject && !OBJECT_FORMS.some((form) => form in schema)) bare.push(path);
      for (const [name, inner] of Object.entries(part)) if (!VALUES.includes(name)) walk(inner, `${path}/${name}`);
    };
    walk(JSON.parse(text), '');
    expect(bare).toEqual([]);
  });

  it('gives each code under its own status and nowhere else', () => {
    for (const { method, path } of OPERATIONS) {
      for (const [status, listed] of Object.entries(codes(path, method.toLowerCase()))) {
        expect(listed.map((code) => ERRORS[code as ErrorCode].status)).toEqual(listed.map(() => Number(status)));
      }
    }
  });

  it('describes a list parameter as an array in one comma-separated value', () => {
    const { parameters, responses } = paths['/api/v1/trials/search'].get;
    const named = (name: string) =>
      parameters
        .map((given: { $ref?: string }) => (given.$ref ? resolved(given.$ref) : given))
        .find((parameter: { name?: string }) => parameter.name === name);
    expect(named('registry')).toEqual({
      name: 'registry',
      in: 'query',
      required: false,
      description: 'Only trials registered in any of these registries; ctgov and ClinicalTrials.gov are read too.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: ['clinicaltrials_gov', 'isrctn'] }, minItems: 1 },
    });
    expect(named('pageSize')).toMatchObject({
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      example: 2,
    });
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/IfNoneMatch' });
    expect(Object.keys(responses[200].headers)).toEqual([
      ...['X-Correlation-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'],
      ...['RateLimit', 'ETag', 'Cache-Control'],
    ]);
    expect(Object.keys(responses)).toEqual(['200', '304', '400', '401', '403', '429', '500', '503']);
  });

  it('tells streams, probes and credentials as they are', () => {
    expect(Object.keys(paths['/api/v1/changes'].get.responses[200].content)).toEqual([
      'application/json',
      'text/event-stream',
    ]);
    expect(Object.keys(paths['/api/v1/changes/export'].get.responses[200].content)).toEqual(['application/x-ndjson']);
    expect(Object.keys(paths['/readyz'].get.responses)).toEqual(['200', '500', '503']);
    expect(paths['/healthz'].get.responses[200].content['application/json'].schema.properties).toEqual({
      status: { type: 'string' },
    });
    expect(document.security).toEqual([{}, { ApiKey: [] }]);
    expect(paths['/api/v1/keys'].delete.security).toEqual([{ ApiKey: [] }]);
    expect(paths['/api/v1/keys'].post.security).toBeUndefined();
    expect(paths['/api/v1/claims/{id}'].post.parameters).toContainEqual({
      $ref: '#/components/parameters/ReleaseToken',
    });
    expect(paths['/api/v1/findings/{id}'].delete.parameters).toContainEqual({
      $ref: '#/components/parameters/WithdrawToken',
    });
    expect(paths['/api/v1/webhooks/{id}'].get.parameters).toContainEqual({
      $ref: '#/components/parameters/WebhookSecret',
    });
  });
});
