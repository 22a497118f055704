import { contradictionOf } from '../../../proof/league/contenders/http-client';
import { ONCEFLOW } from '../../../proof/league/contenders/onceflow';
import { PROMISED } from '../../../proof/league/report';
import { scheduleOf } from '../../../proof/league/schedule';
import { replay } from '../../../proof/league/shorten';
import { AMOUNT, OTHER_AMOUNT } from '../../../proof/league/world/play';
import { payloadHash, RECORD, STATUS, type Status } from '../../../state-machine/contract/index';

const RESULT = '"charge-1"';

function record(status: Status, result = RESULT) {
  return {
    [RECORD.status]: { S: status },
    [RECORD.result]: { S: result },
    [RECORD.payloadHash]: { S: payloadHash(AMOUNT) },
  };
}
const running = record(STATUS.inProgress);
const completed = record(STATUS.completed);
const failed = record(STATUS.failed);

describe('an answer by HTTP, beside the record', () => {
  test.each([
    ['200 of a completed record', 200, undefined, completed, undefined],
    ['200 of a record in progress', 200, running, running, 'the record is not completed'],
    ['200 without a record', 200, undefined, undefined, 'the record is not completed'],
    [
      '200 of another result',
      200,
      completed,
      record(STATUS.completed, '"x"'),
      'the record has another result',
    ],
    ['409 of a record in progress', 409, running, running, undefined],
    ['409 of a record that was completed meanwhile', 409, undefined, completed, undefined],
    ['409 of a completed record', 409, completed, completed, 'nothing is in progress'],
    ['409 without a record', 409, undefined, undefined, 'nothing is in progress'],
    ['422 of its own payload', 422, completed, completed, 'the record has no other payload'],
    ['422 without a record', 422, undefined, undefined, 'the record has no other payload'],
    ['500 of a failed record', 500, failed, failed, undefined],
  ] as const)('%s', (_, status, before, after, expected) => {
    const received = { status, headers: {}, body: RESULT };

    expect(contradictionOf({ amount: AMOUNT }, { received, before, after })).toBe(expected);
  });

  test('422 of another payload: right', () => {
    const received = { status: 422, headers: {}, body: '' };
    const tried = { received, before: completed, after: completed };

    expect(contradictionOf({ amount: OTHER_AMOUNT }, tried)).toBeUndefined();
  });
});

describe.each(['onceflow-http', 'onceflow-express-http'])('%s in the league', id => {
  async function played(text: string) {
    const schedule = scheduleOf(text);
    const contender = ONCEFLOW.find(one => one.id === id);
    if (typeof schedule === 'string' || !contender) throw new Error(text);
    const { outcome, steps } = await replay(contender, schedule);
    const texts = steps.map(step => step.text);
    expect(PROMISED.filter(failure => outcome[failure] > 0)).toEqual([]);
    return { outcome, told: texts.filter(one => /is answered|no answer|gives up/.test(one)) };
  }

  test('an answer that is lost: the same request again gets the one result', async () => {
    const { outcome, told } = await played('at=0/fault=1:answerLost');

    expect(told).toEqual(['the client gets no answer', 'delivery 1 is answered: duplicate charge-1']);
    expect(outcome.doubled).toBe(0);
  });

  test('two at once, and another payload: 409 until the result is there, and 422', async () => {
    const { told } = await played('at=0,0.5,0.6x');

    expect(told.slice(0, 2)).toEqual([
      'delivery 2 is answered: rejected',
      'delivery 3 is answered: mismatch',
    ]);
    expect(told.slice(2).sort()).toEqual([
      'delivery 1 is answered: result charge-1',
      'delivery 2 is answered: duplicate charge-1',
    ]);
  });

  test('a step that always fails: the client gives up, and knows it', async () => {
    const { outcome, told } = await played('at=0/failures=always');

    expect(told.at(-1)).toBe('the client gives up');
    expect(outcome.reported).toBe(1);
  });

  test('an interrupted claim: retried until it is taken over or resumed', async () => {
    const { told } = await played('at=0/fault=effect:killedBefore,5:killedBefore,6:killedBefore');

    expect(told.at(-1)).toMatch(/charge-1$/);
  });

  test('the same schedule again: the same steps', async () => {
    const text = 'at=0,0.3,0.9,7000/fault=3:answerLost,effect:killedAfter';

    expect(await played(text)).toEqual(await played(text));
  });
});
