import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Recovery } from '../../infra/index';
import { type CliWorld, ORDER, openCliWorld } from '../cli/world';
import { returns } from '../support/world';
import { parsePage, ROOT, readIfThere } from './page';

const PAGE = 'docs/operations/runbook.md';
const MINUTE = 60_000;

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
});
afterEach(() => cli.close());

test(`the story in ${PAGE}: is what onceflow show prints (UPDATE_DOCS=1 writes it)`, async () => {
  const { world } = cli;
  world.step = () => world.never();
  await world.send(ORDER);
  await world.pass(45);
  const [owner] = await world.executions();
  await world.stack.runtime.stopExecution({
    executionArn: owner?.executionArn ?? '',
    error: 'Deployment',
    cause: 'stopped by the rollback script',
  });
  world.step = async () => {
    await world.pause(74);
    return returns({ chargeId: 'ch-1', orderId: ORDER.orderId });
  };
  await world.pass(10 * MINUTE);
  await world.publish(ORDER);
  await world.pass(4_000);
  await world.publish({ ...ORDER, amount: 99 });
  await world.pass(6_000);

  const shown = (await cli.show()).trimEnd().split('\n');
  const text = readIfThere(PAGE) ?? '';
  const block = parsePage(PAGE, text).blocks.find(({ language }) => language === 'text');
  if (!block) throw new Error(`${PAGE} has no story`);
  if (process.env['UPDATE_DOCS'] === '1') {
    const lines = text.split('\n');
    lines.splice(block.line, block.lines.length, ...shown);
    writeFileSync(path.join(ROOT, PAGE), lines.join('\n'));
    return;
  }

  expect(block.lines).toEqual(shown);
});
