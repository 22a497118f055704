import { run } from '../fixture';
import { play, type Row } from './play';
import { Shop } from './shop';

run('provider-key', main);

async function main(): Promise<boolean> {
  const shop = await Shop.withProvider();
  try {
    return print(await play(shop));
  } finally {
    await shop.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (...[what = '', ...cells]: readonly string[]) =>
    console.log(`${what.padEnd(34)}${cells.map(cell => cell.padStart(14)).join('')}`);
  line('the execution is stopped', 'requests', 'charges', 'without a key');
  for (const { what, requests, charges, chargesWithoutKeys, isRight } of rows) {
    line(what, `${requests}`, `${charges}`, `${chargesWithoutKeys}`);
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: each order was charged once by the provider that honors the key' : '\nnot ok');
  return isRight;
}
