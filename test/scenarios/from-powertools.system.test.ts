import fc from 'fast-check';
import { proxyAnswer, proxyEvent } from '../../docs/guide/snippets/handler';
import type { PowertoolsGuard } from '../../proof/guards/powertools';
import { type HttpWorld, openHttp } from '../support/http';
import { describeWithPowertools, openGuard } from '../support/powertools';
import { runs } from '../support/scale';
import { fails, openWorld, returns, type World } from '../support/world';

/** What the old endpoint and the step of the new one answer. */
interface Answered {
  readonly statusCode: number;
  readonly body: string;
}

type Place = 'old' | 'new';

describeWithPowertools('the way over from Powertools behind API Gateway, and the way back', folder => {
  let world: HttpWorld;
  let guard: PowertoolsGuard;
  let charges: string[];
  beforeAll(async () => {
    const options = { response: proxyAnswer, errors: { IdempotencyValidationError: 422 } };
    world = await openHttp('from Powertools', options, { stepInput: proxyEvent }, undefined, [], { port: 0 });
    guard = await openGuard(folder, world);
  });
  afterAll(() => world.close());
  beforeEach(() => {
    charges = [];
  });

  const handler = async (event: object): Promise<Answered> => {
    const { body } = event as { readonly body: string };
    charges.push(JSON.parse(body).orderId);
    return {
      statusCode: 201,
      body: JSON.stringify({ chargeId: `ch_${charges.length}`, ...JSON.parse(body) }),
    };
  };

  /** The endpoint at both places, with the same guard around the same handler. */
  function endpoint(settings: object) {
    const guarded = guard(handler, { eventKeyJmesPath: 'headers."Idempotency-Key"', ...settings });
    world.step = async event => {
      try {
        return returns((await guarded(event)) as never);
      } catch (error) {
        return fails((error as Error).name);
      }
    };
    return async (place: Place, key: string, text: string): Promise<Answered> => {
      const headers = { 'Idempotency-Key': key };
      if (place === 'new') {
        const { status, body } = await world.answered({ headers, text });
        return { statusCode: status, body };
      }
      try {
        const requestContext = { requestId: String(Math.random()) };
        return (await guarded({ httpMethod: 'POST', headers, body: text, requestContext })) as Answered;
      } catch (error) {
        return { statusCode: 500, body: (error as Error).name };
      }
    };
  }

  let orders = 0;
  const newOrder = () => {
    orders += 1;
    return `order-${orders}`;
  };

  test.each([
    ['compares no payload', {}],
    ['compares the values of the body', { payloadValidationJmesPath: 'powertools_json(body)' }],
  ])(
    'a guard that %s: one charge for each key at whatever place, and each answer the first one',
    async (_, settings) => {
      const send = endpoint(settings);
      const step = fc.record({
        place: fc.constantFrom<Place>('old', 'new'),
        order: fc.integer({ min: 0, max: 2 }),
        hasSpaces: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async steps => {
          charges = [];
          const keys = [newOrder(), newOrder(), newOrder()];
          const first = new Map<string, Answered>();
          for (const { place, order, hasSpaces } of steps) {
            const key = String(keys[order]);
            const body = { orderId: key, amount: 12.5 };
            const answer = await send(place, key, JSON.stringify(body, null, hasSpaces ? 2 : 0));
            if (!first.has(key)) first.set(key, answer);
            expect(answer).toEqual(first.get(key));
            expect(answer.statusCode).toBe(201);
          }
          expect([...charges].sort()).toEqual([...first.keys()].sort());
        }),
        { numRuns: runs(8, 60) },
      );
    },
  );

  test('a guard that compares the text of the body: the client with spaces is charged once, and gets no answer', async () => {
    const send = endpoint({ payloadValidationJmesPath: 'body' });
    const order = newOrder();
    const text = `{"orderId": "${order}", "amount": 12.50}`;

    expect(await send('old', order, text)).toMatchObject({ statusCode: 201 });
    expect(await send('new', order, text)).toMatchObject({ statusCode: 422 });
    expect(charges).toEqual([order]);
  });

  test('a guard that compares again before its records are over: its new keys are rejected, and charged once', async () => {
    const order = newOrder();
    const text = `{"orderId":"${order}","amount":12.5}`;

    expect(await endpoint({})('new', order, text)).toMatchObject({ statusCode: 201 });
    const send = endpoint({ payloadValidationJmesPath: 'powertools_json(body)' });
    expect(await send('old', order, text)).toEqual({ statusCode: 500, body: 'IdempotencyValidationError' });
    expect(charges).toEqual([order]);
  });
});

describeWithPowertools('the way over from Powertools behind a rule, and the way back', folder => {
  let world: World;
  afterEach(() => world.close());

  test.each([
    ['the event as it was, by stepInput', { stepInput: '{% $states.input %}' }, (event: object) => event],
    [
      'the event out of what a step is given',
      {},
      (event: object) => ('input' in event ? (event.input as object) : event),
    ],
  ])('%s: one charge for each key at whatever place', async (_, workflow, eventIn) => {
    world = await openWorld({ name: `from Powertools ${_}`, workflow }, { port: 0 });
    const guard = await openGuard(folder, world);
    const charges: string[] = [];
    const guarded = guard(
      async event => {
        const { orderId } = (event as { readonly detail: { readonly orderId: string } }).detail;
        charges.push(orderId);
        return { charge: charges.length };
      },
      {
        eventKeyJmesPath: 'detail.orderId',
        payloadValidationJmesPath: 'detail',
        throwOnNoIdempotencyKey: true,
      },
    );
    world.step = async event => returns((await guarded(eventIn(event))) as never);
    const order = (orderId: string) => ({ orderId, amount: 12.5, currency: 'EUR' });
    const byTheRule = (orderId: string) =>
      guarded(eventIn({ id: String(Math.random()), time: 'now', detail: order(orderId) }));
    const byTheWorkflow = async (orderId: string) => {
      const { output } = await world.delivered(order(orderId));
      return JSON.parse(String(output));
    };

    const before = await byTheRule('before');
    expect(await byTheWorkflow('before')).toEqual(before);
    const after = await byTheWorkflow('after');
    expect(await byTheRule('after')).toEqual(after);
    expect(await byTheWorkflow('after')).toEqual(after);
    expect(charges).toEqual(['before', 'after']);
  });
});
