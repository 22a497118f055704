import path from 'node:path';
import { autoBindSteps, loadFeature } from 'jest-cucumber';
import { checkFindings } from '../findings';
import { Shop, synthesizeShop } from './shop';
import { ShopStack } from './stack';
import { stepsIn } from './steps';

describe('payments.feature', () => {
  const { assembly, remove } = synthesizeShop();
  let shop: Shop;
  beforeEach(async () => {
    shop = await Shop.open(assembly);
  });
  afterEach(() => shop.close());
  afterAll(remove);

  autoBindSteps(
    loadFeature(path.join(__dirname, 'payments.feature')),
    stepsIn(() => shop),
  );
});

describe('the AwsSolutions rules of cdk-nag', () => {
  test('the stack: no finding that is not acknowledged with its reason', () => {
    expect(() => checkFindings(app => new ShopStack(app, 'PaymentsGherkin'))).not.toThrow();
  });
});
