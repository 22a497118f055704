import assert from 'node:assert/strict';
import { stackSteps } from '@onceflow/local/gherkin';
import type { StepDefinitions } from 'jest-cucumber';
import { type Order, orderOver, type Shop } from './shop';

/** The shop of the scenario that runs. */
type OpenShop = () => Shop;

/**
 * What the sentences of `payments.feature` mean that are about orders and cards; those about executions, faults and
 * time are ready.
 *
 * They compare with `node:assert`, so that `main.ts` runs them as well as Jest does.
 */
export function stepsIn(shop: OpenShop): StepDefinitions[] {
  return [whatIsGiven(shop), whatHappens(shop), whatIsSeen(shop), ...stackSteps(() => shop().stack)];
}

function whatIsGiven(shop: OpenShop): StepDefinitions {
  return ({ given }) => {
    given(/^a card with (.+) EUR on it$/, euros => shop().setBalance(cents(euros)));

    given(/^the card has only (.+) EUR on it$/, euros => shop().setBalance(cents(euros)));

    given(/^(order-\d+) over (.+) EUR has been paid$/, async (orderId, euros) => {
      await shop().place(orderOver(orderId, cents(euros)));
      assert.equal((await shop().receiptsOf(orderId)).length, 1);
    });
  };
}

function whatHappens(shop: OpenShop): StepDefinitions {
  return ({ when }) => {
    when(/^(order-\d+) over (.+) EUR is placed$/, (orderId, euros) =>
      shop().place(orderOver(orderId, cents(euros))),
    );

    when(/^the event of (order-\d+) over (.+) EUR is delivered twice at the same time$/, (orderId, euros) =>
      shop().place(orderOver(orderId, cents(euros)), { times: 2 }),
    );

    when(/^an order ((?:without|over) (?!\d).+) is placed$/, flaw => shop().place(flawedOrder(flaw)));

    when('an operator starts the workflow with its event', () => shop().start(shop().order));

    when(
      /^the workflow is started twice at the same time with (order-\d+) over (.+) EUR$/,
      (orderId, euros) => shop().start(orderOver(orderId, cents(euros)), { times: 2 }),
    );

    when(/^the card is topped up with (.+) EUR$/, euros => shop().topUp(cents(euros)));
  };
}

function whatIsSeen(shop: OpenShop): StepDefinitions {
  return ({ then }) => {
    then(/^(order-\d+) has (one|no) receipt$/, async (orderId, count) => {
      const receipts = await shop().receiptsOf(orderId);
      assert.equal(receipts.length, count === 'one' ? 1 : 0);
    });

    then('the answer is the first receipt', async () => {
      const answers = shop().ledTo.map(({ output }) => JSON.stringify(output));
      assert.deepEqual(answers, await shop().receiptsOf(shop().order.orderId ?? ''));
    });

    then(/^(?:it|one of them) is rejected with (.+)$/, error => {
      const errors = shop().ledTo.flatMap(execution => execution.error ?? []);
      assert.deepEqual(errors, [error]);
    });

    then(/^the card has (.+) EUR left$/, async euros => {
      assert.equal((await shop().card()).balanceCents, cents(euros));
    });
  };
}

function flawedOrder(flaw: string): Order {
  const order = orderOver('order-7', 1250);
  switch (flaw) {
    case 'without an id':
      return { ...order, orderId: undefined };
    case 'without a card':
      return { ...order, card: undefined };
    case 'over nothing':
      return { ...order, amountCents: 0 };
    case 'over half a cent':
      return { ...order, amountCents: 0.5 };
    default:
      throw new Error(`no order is known ${flaw}`);
  }
}

/** `12.50` as 1250. */
function cents(euros: string): number {
  assert.match(euros, /^\d+\.\d\d$/, `an amount has two decimals, such as 12.50, got ${euros}`);
  return Number(euros.replace('.', ''));
}
