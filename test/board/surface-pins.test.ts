import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { contentHash } from '../../server-kit/hashing.ts';
import { boardForEach } from '../support/board/board.ts';
import { SURFACES } from '../support/board/surfaces.ts';

/** A board goes on over newer code, so the row, content hash, event and answer of a new thing must not come out otherwise. */

const board = boardForEach();

const TABLES = {
  'claims-create': 'claims',
  'threads-post': 'messages',
  'finding-submit': 'findings',
  'reality-create': 'reality_requests',
  'dead-end-register': 'dead_ends',
  'ladder-publish': 'ladders',
  'cure-lab-evidence-submit': 'evidence',
  'cure-lab-hypothesis-propose': 'hypotheses',
  'council-propose': 'amendments',
  'calibration-create': 'predictions',
} as const;
type Creation = keyof typeof TABLES;

/** Beginnings of four hashes of each surface: content, row, event with its chain, answer. */
const PINNED: Record<Creation, string> = {
  'claims-create': '4dbd498a21f9 03dbceb728be aba62b9ea57c 91d4df54acbf',
  'threads-post': '96cc2653b461 d325e16fa69c ae01bfdd7fe3 c19adaef0b3e',
  'finding-submit': 'a0d4b73ae481 50b88f7c650e 05b7c2cba9b0 a17c7926d6a9',
  'reality-create': '6866a4ad8c32 ace000aaffe3 af4db0e8d3e4 39a35666ffcf',
  'dead-end-register': '5a25615f461f 810afdd20045 14b97b6bb873 e6bbcadea738',
  'ladder-publish': 'e048cbf22da2 403eda8de9b7 4aedad235519 d67724d21718',
  'cure-lab-evidence-submit': '02ce9a4c5c36 ea24a43d8eaa 64c7148abf52 f8a10ab76e64',
  'cure-lab-hypothesis-propose': 'c4d2937a59e7 fbb7b214c4ea 2d9ed5d765b8 b9fb50c3fdab',
  'council-propose': '5b680aed0a07 75ae7a97fe39 798005257cf0 4e01448148b2',
  'calibration-create': 'a075a6a50949 1dae44a19c64 f405aeca2036 71a684706c13',
};

it.each(SURFACES.map((surface) => [surface.create as Creation, surface] as const))('%s', async (create, surface) => {
  const body = { ...surface.body, ...(await surface.prepare?.(board)) };
  const { data } = (await board.send(surface.path, body)).body;
  const { read } = board.board;
  const row = (await read.byId(TABLES[create] as 'messages', data.id))!;
  const newest = read.selectFrom('events').select('hash').orderBy(sql.ref('ts'), 'desc').limit(1);
  const { hash } = await newest.executeTakeFirstOrThrow();
  const hashes = [row.content_hash, contentHash('row', { ...row }), hash, contentHash('answer', data)];
  expect(hashes.map((one) => one.slice(0, 12)).join(' ')).toBe(PINNED[create]);
});
