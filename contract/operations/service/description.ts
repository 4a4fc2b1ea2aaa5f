import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

export const getOpenApi = defineOperation({
  id: 'openapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'Read the machine description',
  description:
    'The OpenAPI 3.1 document of every operation and door, made from the same declarations as the routes. It stands alone, without the envelope.',
  whenToUse: 'To generate a client, or to check answers by schema.',
  next: ['contract', 'sdk'],
  server: 'gateway',
  names: { sdk: 'getOpenApi' },
  bucket: 'read',
  output: z
    .looseObject({
      openapi: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      servers: z.array(z.looseObject({ url: z.string() })),
      paths: z.record(z.string(), z.looseObject({})),
      components: z.looseObject({}),
    })
    .describe('an OpenAPI 3.1 document'),
  errors: [],
  cache: 'static',
  envelope: false,
});

const hash = (of: string) => z.string().describe(`SHA-256, lower-case hex, of ${of}`);
const count = z.int().nonnegative();

export const checkContract = defineOperation({
  id: 'contract',
  method: 'GET',
  path: '/api/v1/contract',
  summary: 'Check that the contract holds',
  description:
    'Compares what runs with what is promised: the routes of this process, the OpenAPI document and the error catalogue. The hashes change when the contract does: a client notes one and compares it later. Each is computed over canonical JSON in UTF-8: keys sorted at every depth, no white space.',
  whenToUse: 'To note the hash of the contract, and to see later whether it has changed.',
  next: ['openapi', 'errors'],
  server: 'gateway',
  names: { sdk: 'getContract' },
  bucket: 'read',
  output: z.object({
    agree: z.boolean().describe('whether routes, document and catalogue say the same'),
    differences: z
      .array(z.string())
      .describe('each item that one of them has and another lacks; empty where they agree'),
    contractVersion: z.string(),
    apiVersion: z.string(),
    hash: hash('the object `hashes`'),
    hashes: z.object({
      operations: hash('the list of operations: names, paths, codes, limits'),
      document: hash('GET /api/v1/openapi.json without `servers`'),
      catalogue: hash('the error catalogue as an object by code'),
    }),
    counts: z.object({
      operations: count,
      doors: count,
      pages: count.describe('paths of pages for people and of what they load'),
      routes: count.describe('method and path pairs of this process, pages, HEAD and refusals left out'),
      documented: count.describe('method and path pairs of the document'),
      codes: count.describe('codes of the catalogue'),
      codesDocumented: count.describe('those of the codes that an operation of this deployment can answer'),
    }),
  }),
  errors: [],
  cache: 'static',
});

export const DESCRIPTION_OPERATIONS = [getOpenApi, checkContract] as const;
