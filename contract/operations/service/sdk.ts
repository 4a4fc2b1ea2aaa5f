import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { textParameter } from '../../parameters.ts';

const FILE_MAX_CHARACTERS = 80;

export const getSdk = defineOperation({
  id: 'sdk',
  method: 'GET',
  path: '/api/v1/sdk',
  summary: 'Read the source of the typed client',
  description:
    'The TypeScript client of this service: one method for each operation that has an SDK name, retries, iterators over pages and over the change feed. It needs nothing but fetch.',
  whenToUse: 'To call the service from TypeScript or JavaScript with types, retries and iterators.',
  next: ['sdk-file', 'openapi'],
  server: 'gateway',
  names: { sdk: 'getSdk' },
  bucket: 'read',
  output: z.object({
    name: z.string(),
    version: z.string().describe('of the client'),
    language: z.literal('TypeScript'),
    apiVersion: z.string(),
    contractVersion: z.string(),
    hash: z.string().describe('SHA-256, lower-case hex, of the lines `sha256  path` of all files'),
    install: z.array(
      z.object({
        runtime: z.string(),
        command: z.string().nullable().describe('for a shell, once; null where there is nothing to install'),
        code: z.string().describe('the import that then works'),
      }),
    ),
    files: z.array(
      z.object({
        path: z.string().describe('all in one folder'),
        bytes: z.int(),
        sha256: z.string(),
        url: z.string(),
        content: z.string(),
      }),
    ),
  }),
  errors: [],
  cache: 'revalidate',
});

const getSdkFile = defineOperation({
  id: 'sdk-file',
  method: 'GET',
  path: '/api/v1/sdk/{file}',
  summary: 'Read one file of the typed client',
  description:
    'A file of GET /api/v1/sdk as it is, and each module also as JavaScript under its name with .js, so that a browser or Deno can import client.js from here.',
  whenToUse: 'To import a module of the client straight from here.',
  next: ['sdk'],
  server: 'gateway',
  bucket: 'read',
  params: { file: textParameter(FILE_MAX_CHARACTERS, 'Name of a file, for example client.js.') },
  output: z.string(),
  errors: ['INVALID_PARAM', 'NOT_FOUND'],
  streams: ['text/javascript', 'text/typescript', 'application/json'],
  cache: 'revalidate',
  envelope: false,
  example: '/api/v1/sdk/client.js',
});

export const SDK_OPERATIONS = [getSdk, getSdkFile] as const;
