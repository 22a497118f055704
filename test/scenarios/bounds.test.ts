import { PAYLOAD_TEXT_MAX, RESULT_TEXT_MAX } from '../../state-machine/contract/record';
import type { Variant } from '../support/variant';
import { openWorld, returns, type World } from '../support/world';

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
