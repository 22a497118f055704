import { play, type Row } from './play';
import { Shop } from './shop';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`provider-key: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(): Promise<boolean> {
  const shop = await Shop.open();
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
