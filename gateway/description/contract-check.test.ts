import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ERROR_CODES } from '../../contract/errors/errors.ts';
import type { Door } from '../../contract/interfaces/doors.ts';
import { defineOperation, type Operation } from '../../contract/operation.ts';
import { contractReport, differencesOf, type Promised, type Route } from './contract-check.ts';
import { openApiDocument } from './openapi-document.ts';

const lamp = defineOperation({
  id: 'lamp',
  method: 'GET',
  path: '/api/v1/lamps/{id}',
  summary: 'Read a lamp',
  description: 'One lamp.',
  server: 'gateway',
  bucket: 'read',
  output: z.object({ on: z.boolean() }),
  errors: ['NOT_FOUND', 'DB_ERROR'],
  example: '/api/v1/lamps/{id}',
});
const door: Door = {
  id: 'text',
  path: '/text',
  methods: ['GET'],
  mediaType: 'text/plain',
  summary: 'A text',
  bucket: 'read',
};
const ROUTES: Route[] = [
  { method: 'GET', path: '/api/v1/lamps/:id' },
  { method: 'HEAD', path: '/api/v1/lamps/:id' },
  { method: '', path: '/api/v1/lamps/:id' },
  { method: 'GET', path: '/text' },
  { method: 'GET', path: '/lamps/:id' },
  { method: 'HEAD', path: '/lamps/:id' },
  { method: '', path: '/lamps/:id' },
  { method: '', path: '/**' },
];

function promised(more: Partial<Promised> = {}): Promised {
  const operations: readonly Operation[] = [lamp];
  const doors = [door];
  const document = openApiDocument('http://127.0.0.1', operations, doors);
  return { operations, doors, pages: ['/lamps/{id}'], document, codes: ERROR_CODES, ...more };
}

describe('the check of the contract', () => {
  it('agrees where routes, document and catalogue say the same', () => {
    expect(differencesOf(ROUTES, promised())).toEqual([]);
  });

  it('names a route that no operation and no door stands for', () => {
    const routes = [...ROUTES, { method: 'POST', path: '/api/v1/lamps' }, { method: '', path: '/secret' }];
    expect(differencesOf(routes, promised())).toEqual([
      'route POST /api/v1/lamps: no operation, no door and no page',
      'route of every method /secret: no operation, no door and no page',
    ]);
  });

  it('names an operation, a door and a page without a route; a refusal of other methods is none', () => {
    const routes = [
      { method: '', path: '/api/v1/lamps/:id' },
      { method: '', path: '/text' },
    ];
    expect(differencesOf(routes, promised())).toEqual([
      'operation lamp: no route for GET /api/v1/lamps/{id}',
      'door text: no route for GET /text',
      'page /lamps/{id}: no route for GET /lamps/{id}',
    ]);
  });

  it('names a code of the document that the catalogue does not have, and one of an operation that the document lacks', () => {
    const codes = ERROR_CODES.filter((code) => code !== 'DB_ERROR');
    expect(differencesOf(ROUTES, promised({ codes }))).toEqual(['document: DB_ERROR is not in the catalogue']);
    const document = openApiDocument('http://127.0.0.1', [{ ...lamp, errors: ['NOT_FOUND'] }], [door]);
    expect(differencesOf(ROUTES, promised({ document }))).toEqual(['operation lamp: DB_ERROR is not in the document']);
  });

  it('hashes what is promised and not where it is served', () => {
    const report = contractReport(ROUTES, promised());
    const elsewhere = openApiDocument('https://other.example', [lamp], [door]);
    expect(contractReport(ROUTES, promised({ document: elsewhere }))).toEqual(report);
    const changed = promised({ operations: [{ ...lamp, bucket: 'none' }] });
    expect(contractReport(ROUTES, changed).hashes.operations).not.toBe(report.hashes.operations);
    expect(report.hashes.document).toMatch(/^[0-9a-f]{64}$/);
    expect(report.counts).toMatchObject({
      operations: 1,
      doors: 1,
      pages: 1,
      routes: 2,
      documented: 2,
      codesDocumented: 6,
    });
  });
});
