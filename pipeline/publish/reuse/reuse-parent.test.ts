import { expect, test } from 'vitest';
import { localImports, read, repositoryFiles } from '../../../test/support/tree.ts';

const CALLER = 'pipeline/publish/serving/build-serving-image.ts';

/** Reuse can be taken out by deleting this folder and that call: then every image is built whole. */
test('the reuse of a parent has one way in: one call of the whole image', () => {
  const outside = repositoryFiles().filter(
    (path) => path.endsWith('.ts') && !path.startsWith('pipeline/publish/reuse/'),
  );
  const importers = outside.filter((path) =>
    localImports(path).some((named) => named.startsWith('pipeline/publish/reuse/')),
  );
  expect(importers).toEqual([CALLER]);
  expect(localImports(CALLER).filter((named) => named.includes('/reuse/'))).toEqual([
    'pipeline/publish/reuse/reuse-parent.ts',
  ]);
  expect(read(CALLER).match(/\breuseOf\(/g)).toHaveLength(1);
});
