import path from 'node:path';
import { autoBindSteps, type IJestLike, loadFeature, setJestCucumberConfiguration } from 'jest-cucumber';
import { run } from '../fixture';
import { Shop, synthesizeShop } from './shop';
import { stepsIn } from './steps';

interface Scenario {
  readonly title: string;
  run(): Promise<void>;
}

run('payments-gherkin', main);

/** Runs each scenario of the feature file in a shop of its own, and tells what happened. */
async function main(): Promise<boolean> {
  const { assembly, remove } = synthesizeShop();
  process.once('exit', remove);
  let shop: Shop | undefined;
  const { title, scenarios } = readFeature(() => {
    if (!shop) throw new Error('a step ran outside its scenario');
    return shop;
  });
  console.log(`\n${title}\n\n${row('', 'scenario', 'executions', 'charges')}`);
  let failed = 0;
  for (const scenario of scenarios) {
    shop = await Shop.open(assembly);
    const problem = await scenario.run().then(() => undefined, messageOf);
    const [executions, card] = await Promise.all([shop.executions(), shop.card()]);
    await shop.close();
    console.log(row(problem ? 'FAIL' : 'ok', scenario.title, `${executions.length}`, `${card.charges}`));
    if (problem === undefined) continue;
    failed += 1;
    console.log(problem.replace(/^/gm, '        '));
  }
  console.log(failed === 0 ? '\nok: no order was paid twice' : `\n${failed} of ${scenarios.length} failed`);
  return failed === 0;
}

/** The feature's scenarios, bound to their steps: jest-cucumber takes any runner that is called like Jest's. */
function readFeature(shop: () => Shop): { readonly title: string; readonly scenarios: readonly Scenario[] } {
  const scenarios: Scenario[] = [];
  const add = (title: string, action: () => unknown) => {
    scenarios.push({ title, run: async () => void (await action()) });
  };
  const group = (_: string, action: () => void) => action();
  const runner: IJestLike = {
    describe: Object.assign(group, { skip: group, only: group }),
    test: Object.assign(add, { skip: add, only: add, concurrent: add }),
  };
  setJestCucumberConfiguration({ runner });
  const feature = loadFeature(path.join(__dirname, 'payments.feature'));
  autoBindSteps(feature, stepsIn(shop));
  return { title: feature.title, scenarios };
}

function row(verdict: string, scenario: string, executions: string, charges: string): string {
  return `  ${verdict.padEnd(6)}${scenario.padEnd(48)}${executions.padStart(10)}${charges.padStart(9)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
