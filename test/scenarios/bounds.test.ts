import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, OnFailed } from '../../infra/index';
import { PAYLOAD_TEXT_MAX, RESULT_TEXT_MAX } from '../../state-machine/contract/record';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// What a record keeps is read together, by one state, which takes 262,144 bytes with its quotes escaped. Each bound
// counts characters, and a character has up to four bytes.

const VARIANT: Variant = {
  name: 'longest-record',
  workflow: { payload: '{% $states.input.detail %}', keepPayload: true },
};
const CHARACTERS = ['a', 'é', '中', '😀'];
const KEY = '"'.repeat(400);
const QUOTES = 4;

describe('a record with the longest key, payload and result', () => {
  let world: World;
  afterEach(() => world.close());

  async function delivered(character: string, resultCharacters: number) {
    const order = { orderId: KEY, currency: 'EUR', amount: 1 };
    const rest = PAYLOAD_TEXT_MAX - JSON.stringify({ ...order, note: '' }).length;
    world = await openWorld(VARIANT);
    const result = character.repeat(resultCharacters);
    world.step = () => returns(result);
    const event = { ...order, note: character.repeat(rest) };
    const [first, duplicate] = [await world.delivered(event), await world.delivered(event)];
    return { result, first, duplicate };
  }

  test.each(CHARACTERS)(
    '%s: at the bounds, and one character beyond, duplicates get the result',
    async character => {
      for (const more of [0, 1]) {
        const { result, first, duplicate } = await delivered(character, RESULT_TEXT_MAX - QUOTES + more);
        for (const { output } of [first, duplicate])
          expect(JSON.parse(output ?? 'null') === result).toBe(true);
        expect(world.runs).toHaveLength(1);
        if (more === 0) await world.close();
      }
    },
  );
});

/** The longest cause that Step Functions gives, in characters. */
const CAUSE_MAX = 32_768;

describe('a failure with the longest cause, and a payload as long as a record keeps', () => {
  let world: World;
  afterEach(() => world.close());

  test.each(['\u0001', '"', '\\', ...CHARACTERS])(
    '%j: recorded, notified, and returned to duplicates by its name',
    async character => {
      world = await openWorld({
        name: 'longest-cause',
        workflow: {
          payload: '{% $states.input.detail %}',
          keepPayload: true,
          onFailedBefore: OnFailed.returnStoredFailure(),
        },
        settings: stack => ({
          onFailure: FailureDestination.queue(new Queue(stack, 'Failures', { queueName: 'failures' })),
        }),
      });
      const cause = character.repeat(CAUSE_MAX);
      world.step = () => fails('CardDeclined', cause);
      const order = { orderId: KEY, currency: 'EUR', amount: 1, note: '' };
      const note = character.repeat((PAYLOAD_TEXT_MAX - JSON.stringify(order).length) / 6);

      const ends = [await world.delivered({ ...order, note }), await world.delivered({ ...order, note })];

      for (const { error } of ends) expect(error).toBe('CardDeclined');
      expect(world.runs).toHaveLength(1);
      const [{ body = '' } = {}, ...more] = world.stack.queues.peek('failures') ?? [];
      expect(more).toEqual([]);
      expect(JSON.parse(body)).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(262_144);
    },
  );
});
