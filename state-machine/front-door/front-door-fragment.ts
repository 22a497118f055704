import {
  Choice,
  type INextable,
  Pass,
  type State,
  StateMachineFragment,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../choice';
import { expression, literal } from '../contract/jsonata';
import { FRONT_DOOR_STATE } from '../contract/state-names';
import { StartTask } from '../dispatcher/dispatcher-states';
import { keyTextExpression, nameExpression } from '../jsonata/key';
import { payloadHashExpression, rejectLargeNumbers } from '../jsonata/payload';
import { PASS_INPUT_ON } from '../settings';
import { EVALUATION_FAILED, NAME_TAKEN } from '../tasks/aws-error-names';
import { evaluate } from '../tasks/evaluate';
import { callWorkflow, readOnce } from './answer-by-call';
import { awaitRecord, STARTED } from './await-record';
import { defineEnds, type Ends } from './ends';
import type { FrontDoorProps } from './front-door-props';
import { CALL_TIMEOUT, retryBriefly } from './front-door-states';
import * as request from './request';
import { ASKED_AT, checkExpression, locationExpression, readLocation } from './result-location';

/**
 * The states that answer an HTTP request: they start the workflow under the name of the request's key, wait for its
 * record, and answer with what that says. No answer is given that the record does not bear out.
 *
 * A second run for one request is a duplicate like any other: only starts by key, and reads, leave this machine.
 */
export class FrontDoorFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, props: FrontDoorProps) {
    super(scope, id);
    const ends = defineEnds(this, props);
    const isQuestion = Choice.jsonata(this, FRONT_DOOR_STATE.isQuestion, {
      comment: 'Sent to be carried out, or asked for at the location of an answer',
    });
    if (props.needsPrincipal) {
      when(isQuestion, 'Nobody', request.IS_UNAUTHENTICATED, ends.problems.noPrincipal);
    }
    when(isQuestion, 'Too long', '$exists($states.input.tooLong)', ends.problems.tooLong);
    const read = props.isExpress ? readOnce(this, props, ends) : awaitRecord(this, props, ends);
    if (!props.isExpress) {
      const question = readQuestion(this, props, ends.problems.notFound, read);
      when(isQuestion, 'A question', '$exists($states.input.asked)', question, {
        assign: { ...BEGUN, asked: expression('$states.input.asked') },
      });
    }
    isQuestion.otherwise(readRequest(this, props, ends, read));
    this.startState = isQuestion;
  }
}

/**
 * Defines the states before the read that answers a question at the location of an answer. The question waits for
 * nothing, and its start is that of the request that it asks for: it starts nothing.
 */
function readQuestion(scope: Construct, props: FrontDoorProps, notFound: State, read: State): State {
  const begin = Pass.jsonata(scope, FRONT_DOOR_STATE.readQuestion, {
    comment: 'Who asks, and where',
    assign: { caller: request.CALLER, location: ASKED_AT },
  });
  const find = evaluate(scope, FRONT_DOOR_STATE.findRecord, {
    comment: 'The location holds the key without its caller; any other text is not a location',
    steps: readLocation(props.input === undefined),
    assign: {
      recordKey: expression(`${literal(`${props.scope}#`)} & $states.result[0].key`),
      question: expression('$states.result[0]'),
      started: { at: expression('$states.result[0].started') },
      waitUntil: 0,
    },
    outputs: PASS_INPUT_ON,
  });
  find.addCatch(notFound);
  begin.next(find).next(read);
  return begin;
}

/** Reads a request that must be carried out, and continues with its key. */
function readRequest(scope: Construct, props: FrontDoorProps, ends: Ends, read: State): State {
  const { requestKey, waitUpTo, isExpress } = props;
  const wait = request.secondsToWait(waitUpTo.toSeconds());
  const parse = evaluate(scope, FRONT_DOOR_STATE.parseBody, {
    comment: 'The body is text until here: any value but a JSON object starts nothing',
    steps: request.PARSED_BODY,
    assign: {
      ...(!isExpress && { ...BEGUN, url: expression('$states.input.url') }),
      caller: expression('$states.result[0].caller'),
      ...(!isExpress && {
        waitUntil: expression(`$toMillis($states.context.Execution.StartTime) + 1000 * ${wait}`),
      }),
      keyLines: requestKey.kind === 'header' ? expression(request.headerLines(requestKey.name)) : [],
    },
    outputs: expression('$states.result[0].request'),
  });
  parse.addCatch(ends.problems.invalidPayload, { assign: { pointer: request.POINTER } });
  const isUsable = Choice.jsonata(scope, FRONT_DOOR_STATE.isKeyUsable, {
    comment: 'One key, and a usable one',
  });
  when(isUsable, 'None', "$found.problem = 'missing'", ends.problems.missingKey);
  when(isUsable, 'Not usable', '$exists($found.problem)', ends.problems.invalidKey);
  isUsable.otherwise(start(scope, props, ends, read));
  parse.next(findKey(scope, props, ends.problems.invalidKey)).next(isUsable);
  return parse;
}

function findKey(scope: Construct, { requestKey }: FrontDoorProps, otherwise: State) {
  const comment = 'The key is the header, or what the app says';
  const id = FRONT_DOOR_STATE.findKey;
  if (requestKey.kind === 'header') {
    return Pass.jsonata(scope, id, { comment, assign: { found: request.KEY_OF_HEADER } });
  }
  const find = evaluate(scope, id, {
    comment,
    steps: [{ outputs: request.keyOf(requestKey.expressions) }],
    assign: { found: expression('$states.result[0]') },
    outputs: PASS_INPUT_ON,
  });
  return find.addCatch(otherwise);
}

/** Starts the workflow under the name of the key, and goes on with what its record says. */
function start(scope: Construct, props: FrontDoorProps, ends: Ends, read: State): State {
  const { stateMachine, key, executionNames, input } = props;
  const { problems } = ends;
  const prepared = makeInput(scope, props, problems.invalidPayload);
  const named = evaluate(scope, FRONT_DOOR_STATE.nameExecution, {
    comment: "The workflow's own expression says which record it will be",
    steps: [{ outputs: keyTextExpression(key) }],
    assign: {
      ...(!props.isExpress && { name: nameExpression('$states.result[0]', executionNames) }),
      recordKey: expression(`${literal(`${props.scope}#`)} & $states.result[0]`),
      ...(!props.isExpress && {
        key: expression('$states.result[0]'),
        check: checkExpression('$payloadHash', '$states.result[0]'),
      }),
    },
    outputs: PASS_INPUT_ON,
  });
  named.addCatch(problems.invalidKey);
  if (props.isExpress) {
    prepared.next(named).next(callWorkflow(scope, props, read));
    return prepared;
  }
  const located = Pass.jsonata(scope, FRONT_DOOR_STATE.sayWhere, {
    comment: 'The location of the answer, in case it takes long',
    assign: {
      location: locationExpression(input === undefined),
      callsAt: expression('$millis()'),
    },
  });
  const started = new StartTask(scope, {
    id: FRONT_DOOR_STATE.startRequest,
    comment: 'The key is the name of the execution: a request that comes again while it runs starts nothing',
    stateMachine,
    name: expression('$name'),
    input: PASS_INPUT_ON,
    timeout: CALL_TIMEOUT,
    remembered: STARTED,
  });
  retryBriefly(started);
  started.addCatch(read, { errors: [...NAME_TAKEN], outputs: PASS_INPUT_ON });
  started.addCatch(problems.invalidKey, { errors: [EVALUATION_FAILED] });
  started.addCatch(problems.notStarted);
  prepared.next(named).next(located).next(started).next(read);
  return prepared;
}

function makeInput(scope: Construct, { input, payload }: FrontDoorProps, otherwise: State) {
  const request_ = `$merge([$states.input, {'idempotencyKey': [$caller, $found.key]}])`;
  const own = "{'idempotencyKey': idempotencyKey, 'principal': principal, 'path': path, 'body': body}";
  const hashed =
    payload === undefined
      ? [{ outputs: { input: PASS_INPUT_ON, payloadHash: '' } }]
      : [
          { outputs: expression(rejectLargeNumbers(payload, '$states.input')) },
          { outputs: { input: PASS_INPUT_ON, payloadHash: payloadHashExpression(payload) } },
        ];
  const make = evaluate(scope, FRONT_DOOR_STATE.makeInput, {
    comment: "The workflow's input: nothing in it differs between two tries of one request",
    steps: [
      { outputs: expression(input === undefined ? `${request_}.${own}` : request_) },
      ...(input === undefined ? [] : [{ outputs: expression(input) }]),
      ...hashed,
    ],
    assign: { payloadHash: expression('$states.result[0].payloadHash') },
    outputs: expression('$states.result[0].input'),
  });
  return make.addCatch(otherwise, { assign: { pointer: request.POINTER } });
}

/** Nothing is started, every answer is one that was given before, and a read is consistent. */
const BEGUN = { started: {}, failed: '', replayed: true, sure: true, reads: 0 } as const;
