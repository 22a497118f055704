import type { ModelState } from '../../../proof/explore/model/model-state';
import { initialState, StateSpace } from '../../../proof/explore/model/state-space';
import { successorsOf } from '../../../proof/explore/search/successors';
import { answerIn } from '../../../proof/explore/transition/front-door';
import { ordinarySteps } from '../../../proof/explore/transition/steps';
import { subjectOfVariant } from '../../../proof/explore/variants/run';
import { newDirectory } from '../../support/shared';
import { shippedSubject, variantSubject } from './subject';

const standard = new StateSpace(variantSubject('front-door'));
const express = new StateSpace(variantSubject('front-door-express'));

/** What the requests of an interleaving are answered, in this order, and the executions that it started. */
function cameTo(schedule: string, space = standard) {
  let model: ModelState = initialState(space, 2, 3);
  const answers: string[] = [];
  for (const name of schedule.split(' ')) {
    const { steps } = successorsOf(space, model, ['direct']);
    const step = steps.find(each => each.name === name);
    if (!step) throw new Error(`${name} is not possible, but ${steps.map(each => each.name)}`);
    for (const fact of step.facts) if (fact.kind === 'responded') answers.push(inWords(space, fact.request));
    model = step.after;
  }
  return { answers, executions: model.executions.length };
}

function inWords(space: StateSpace, request: Parameters<typeof answerIn>[1]): string {
  const { status, headers, body } = answerIn(space, request) ?? { status: 0, headers: {}, body: '' };
  const what = /#([\w-]+)"/.exec(body)?.[1] ?? body;
  return `${status} ${what}${headers['Idempotent-Replayed'] === 'true' ? ', replayed' : ''}`;
}

const STARTED = 'request1 serve1';
const WORKED = 'do1 do1 works1.1 do1';
const FIRST = '{"charge":"charge-1"}';

describe('the front door among what can happen', () => {
  test('two requests at the same time: one execution, and both get its result', () => {
    const both = `${STARTED} request2 serve2 ${WORKED} serve1 serve2`;

    expect(cameTo(both)).toEqual({ answers: [`200 ${FIRST}`, `200 ${FIRST}`], executions: 1 });
  });

  test('a request that is stopped is sent again: it gets the result of the first one, as a replay', () => {
    const again = `${STARTED} stop-request1 ${WORKED} end1 request2 serve2 serve2`;

    expect(cameTo(again)).toEqual({ answers: [`200 ${FIRST}, replayed`], executions: 1 });
  });

  test('the answer to a start is lost: nothing is started twice', () => {
    const lost = `request1 lose-request1 serve1 ${WORKED} serve1`;

    expect(cameTo(lost)).toEqual({ answers: [`200 ${FIRST}`], executions: 1 });
  });

  test('another payload: it does not get the result', () => {
    const other = `${STARTED} ${WORKED} end1 request2* serve2 serve2`;

    expect(cameTo(other)).toEqual({ answers: ['422 payload-mismatch'], executions: 1 });
  });

  test('a step that takes long: the request is accepted, and a question gets the result', () => {
    const waited = `${STARTED} do1 do1 serve1 serve1 serve1 pass wake-request1 serve1 pass wake-request1 serve1`;
    const asked = `${waited} works1.1 do1 ask1 serve1`;

    expect(cameTo(asked).answers).toEqual(['202 {"status":"accepted"}', `200 ${FIRST}, replayed`]);
  });

  test('without it: no delivery comes by HTTP, also where a stack has one', () => {
    const { running: _, ...subject } = variantSubject('front-door');
    const comes = [shippedSubject(), subject].map(each => {
      const other = new StateSpace(each);
      return [...ordinarySteps(other, initialState(other, 1, 0), ['direct'])].map(({ name }) => name);
    });

    expect(comes).toEqual([['start1'], ['start1']]);
  });

  test('a stack that is not there: no subject', () => {
    expect(subjectOfVariant(newDirectory(), 'front-door').kind).toBe('problem');
  });
});

describe('the front door of an Express workflow among what can happen', () => {
  const CALLED = 'request1 serve1';
  const AWAITED = 'do1 do1 works1.1 do1 end1';

  test('two requests at the same time: two executions, one runs, and no answer is another', () => {
    const both = `${CALLED} request2 serve2 do1 do2 do2 serve2 serve2 do1 works1.1 do1 end1 serve1 serve1`;

    expect(cameTo(both, express)).toEqual({ answers: ['409 in-progress', `200 ${FIRST}`], executions: 2 });
  });

  test('the answer to the call is lost: its own record is known, whether it has ended or not', () => {
    const ended = `${CALLED} do1 do1 works1.1 do1 lose-request1 serve1`;
    const running = `${CALLED} do1 lose-request1 serve1`;

    expect(cameTo(ended, express).answers).toEqual([`200 ${FIRST}`]);
    expect(cameTo(running, express).answers).toEqual(['503 outcome-unknown']);
  });

  test('a request that is stopped is sent again: it gets the result of the first one, as a replay', () => {
    const again = `${CALLED} stop-request1 ${AWAITED} request2 serve2 do2 do2 serve2 serve2`;

    expect(cameTo(again, express).answers).toEqual([`200 ${FIRST}, replayed`]);
  });
});
