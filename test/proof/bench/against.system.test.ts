import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkOut } from '../../../proof/bench/against/revision';
import { buildChildren } from '../../../proof/bench/child';

const isCheckout = existsSync(path.join(__dirname, '../../../.git'));

describe('the sources of a revision', () => {
  (isCheckout ? test : test.skip)(
    'HEAD: the measuring programs are built from them, and run',
    async () => {
      const revision = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
      const checkout = await checkOut(revision);
      const children = await buildChildren(['pass-through'], undefined, checkout.folder);

      expect(await children.run('pass-through', [2])).toMatchObject({ executions: 2 });
      await children.close();
      await checkout.close();
      expect(existsSync(checkout.folder)).toBe(false);
    },
    60_000,
  );

  test('a revision that there is not: what git says', async () => {
    await expect(checkOut('no-such-revision')).rejects.toThrow('no-such-revision cannot be checked out');
  });
});
