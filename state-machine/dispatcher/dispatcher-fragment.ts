import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  type IChainable,
  type INextable,
  type IStateMachine,
  type Parallel,
  type State,
  StateMachineFragment,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { decide } from '../choice';
import { dispatchRules, startRules } from '../contract/dispatch-rules';
import { CHANGED_BY_NO_DELIVERY } from '../contract/error-names';
import { expression } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { DISPATCHER_STATE } from '../contract/state-names';
import { attributeIn } from '../contract/table-schema';
import { keyTextExpression, nameExpression, recordKeyExpression, retryNameExpression } from '../jsonata/key';
import { OWN_SUFFIX, STEP_FAILURE, SUFFIX_IN_LIST } from '../jsonata/variables';
import { PASS_INPUT_ON, type Settings, type StartSettings } from '../settings';
import { DATA_TOO_LONG, NAME_TAKEN } from '../tasks/aws-error-names';
import { evaluate } from '../tasks/evaluate';
import * as states from './dispatcher-states';
import { KeepEvent } from './keep-event';

/** How the name of an execution ends whose event has no key. Digits at the end would make it that of a key. */
const NO_KEY = '-no-key';

/** Settings of a {@link DispatcherFragment}. */
export interface DispatcherFragmentProps
  extends StartSettings,
    Pick<Settings, 'table' | 'scope' | 'key' | 'payload'> {
  /** The workflow that is started. */
  readonly stateMachine: IStateMachine;
  /** Whether recovery completes the key of an execution that ended early. */
  readonly hasRecovery: boolean;
  /** The names of the state machines that the workflow has had before. */
  readonly formerStateMachines: readonly string[];
  /** Members of an EventBridge event that differ between deliveries of it; the workflow does not get them. */
  readonly volatile: readonly string[];
  /**
   * JSONata of the workflow's input over the event without these members, without `{% %}`; undefined: that event.
   */
  readonly input: string | undefined;
  /** The queue of events that could not be started; undefined: back to the caller, with the failure. */
  readonly deadLetterQueue: IQueue | undefined;
  /** Whether the output of a start names the record in which its end will be. */
  readonly namesRecord: boolean;
  /** Where a delivery of a list leads that no other delivery could start. @default - an input is one delivery */
  readonly inList?: { readonly malformed: State };
}

/**
 * The states that start a workflow for one delivery under the name of its key: the second layer of deduplication.
 *
 * A name that is taken never drops a delivery. It may belong to an execution that failed, to a record that has expired,
 * even to another key. So the record decides, and every record except a finished one means another start, under another
 * name.
 *
 * An expression that can fail is evaluated with a catcher until the event has been started or kept: if a state fails
 * without one, the event is lost. Only an event that is longer than 256 KiB when it is written again can be neither
 * started nor kept; the execution fails then, and its log says so.
 */
export class DispatcherFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, props: DispatcherFragmentProps) {
    super(scope, id);
    const { stateMachine, key, executionNames, input, volatile, inList } = props;
    // What an `input` makes is what the workflow gets, to the last member.
    const event = states.canonicalEvent(input === undefined ? volatile : []);
    const recordKey = props.namesRecord ? recordKeyExpression(props.scope) : undefined;
    const start = new states.StartTask(this, {
      id: DISPATCHER_STATE.start,
      comment: 'The key is the name of the execution: a delivery of a running one starts nothing',
      stateMachine,
      name: expression('$name'),
      input: event,
      remembered: states.rememberStart(event, recordKey),
    });
    // Two deliveries of one list can have one key, and each can have none.
    const suffix = inList ? SUFFIX_IN_LIST : OWN_SUFFIX;
    const again = new states.StartTask(this, {
      id: DISPATCHER_STATE.startAgain,
      comment: 'Under another name: the workflow decides what becomes of this delivery',
      stateMachine,
      name: retryNameExpression(suffix),
      input: event,
      recordKey,
    });
    const withoutKey = new states.StartTask(this, {
      id: DISPATCHER_STATE.startWithoutKey,
      comment: 'The event has no usable key: the workflow says so, once',
      stateMachine,
      name: expression(`${suffix} & '${NO_KEY}'`),
      input: event,
    });
    const readKey = evaluate(this, DISPATCHER_STATE.readKey, {
      comment: 'A value that is not a key starts the workflow without one',
      steps: [{ outputs: keyTextExpression(key) }],
      assign: {
        key: expression('$states.result[0]'),
        name: nameExpression('$states.result[0]', executionNames),
        callsAt: expression('$millis()'),
      },
      outputs: PASS_INPUT_ON,
    });
    const read = states.readRecordOfName(this, props);
    const isDone = states.hasItBeenDone(this);

    readKey.next(start);
    const wasRunning = states.wasItRunning(this);
    start.next(wasRunning);
    const started = states.started(this);
    decide(wasRunning, startRules(), { started: () => started, readRecord: () => read });
    read.next(isDone);
    const rules = dispatchRules({
      hasPayload: props.payload !== undefined,
      hasRecovery: props.hasRecovery,
      formerStateMachines: props.formerStateMachines,
      stateMachineArn: stateMachine.stateMachineArn,
      timeToLiveAttribute: attributeIn(props.table.schema, RECORD.expiry),
    });
    decide(isDone, rules, {
      duplicate: () => states.duplicate(this),
      leave: () => started,
      startAgain: () => again,
    });

    const { RETRIES } = states;
    const retries = props.deadLetterQueue ? RETRIES.start : RETRIES.awaitedStart;
    for (const task of [start, again, withoutKey]) states.retryStart(task, retries);
    states.retryStart(read, RETRIES.read);
    const onward = { outputs: PASS_INPUT_ON };
    // This was evaluated for the start: it cannot fail any more, and all that follows sees what the workflow would.
    start.addCatch(read, { errors: [...NAME_TAKEN], outputs: event });
    // A record that cannot be read stops no delivery: the workflow has more patience, or ends by the name of the error.
    read.addCatch(again, { errors: [DATA_TOO_LONG], ...onward });
    read.addCatch(again, onward);
    const startedBefore = states.startedBefore(this);
    for (const task of [again, withoutKey]) task.addCatch(startedBefore, { errors: [...NAME_TAKEN] });
    this.catchFailures(props, [start, again, withoutKey], readKey);
    readKey.addCatch(withoutKey, onward);
    this.startState = input === undefined ? readKey : makeInput(this, input, volatile, readKey);
  }

  /** The catchers of events that cannot be started, behind those of a name that is in use. */
  private catchFailures(
    props: DispatcherFragmentProps,
    starts: readonly states.StartTask[],
    readKey: Parallel,
  ) {
    const failed = { assign: { failure: STEP_FAILURE } };
    const { malformed } = props.inList ?? {};
    const giveUp = this.giveUp(props);
    for (const task of starts) {
      if (malformed) task.addCatch(malformed, { errors: [...CHANGED_BY_NO_DELIVERY] });
      task.addCatch(giveUp, failed);
    }
    // By name, as in `records-fragment.ts`: a number such as 1e20 is longer when the event is passed on.
    const tooLong = { errors: [DATA_TOO_LONG] };
    readKey.addCatch(malformed ?? giveUp, malformed ? tooLong : { ...tooLong, ...failed });
  }

  private giveUp({ deadLetterQueue: queue }: DispatcherFragmentProps): State {
    const notStarted = states.notStarted(this);
    if (!queue) return notStarted;
    const keep = new KeepEvent(this, queue);
    states.retryStart(keep, states.RETRIES.keep);
    keep.next(notStarted);
    return keep;
  }
}

/**
 * Makes the workflow's input, and goes on with it. An event of which none can be made starts nothing: as it came, it
 * might have a key that means another event.
 */
function makeInput(scope: Construct, input: string, volatile: readonly string[], next: IChainable): State {
  const make = evaluate(scope, DISPATCHER_STATE.makeInput, {
    comment: "The source's own expression makes what the workflow gets, from here on",
    steps: [
      { outputs: states.canonicalEvent(volatile) },
      {
        outputs: expression(`( $made := (${input}); $type($made) = 'object' ? $made : $error('no object') )`),
      },
    ],
    outputs: expression('$states.result[0]'),
  });
  const notValid = states.notValid(scope);
  make.addCatch(notValid, { errors: [DATA_TOO_LONG] });
  make.addCatch(notValid);
  make.next(next);
  return make;
}
