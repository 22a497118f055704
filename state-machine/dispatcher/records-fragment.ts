import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  type INextable,
  Map as MapState,
  ProvideItems,
  type State,
  StateMachineFragment,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { DATA_TOO_LONG, EVALUATION_FAILED } from '../aws-error-names';
import { CHANGED_BY_NO_DELIVERY, MALFORMED_RECORD } from '../contract/error-names';
import { expression, literal } from '../contract/jsonata';
import { DISPATCHER_STATE } from '../contract/state-names';
import { STEP_FAILURE } from '../jsonata/variables';
import { PASS_INPUT_ON } from '../settings';
import { DispatcherFragment, type DispatcherFragmentProps } from './dispatcher-fragment';
import { canonical, RETRIES, retryStart } from './dispatcher-states';
import { KeepEvent } from './keep-event';

/** Settings of a {@link RecordsFragment}. */
export interface RecordsFragmentProps
  extends Omit<DispatcherFragmentProps, 'volatile' | 'input' | 'deadLetterQueue' | 'namesRecord'> {
  /** The list of what is delivered, an expression over what a pipe or a custom event bus hands over. */
  readonly records: string;
  readonly deadLetterQueue: IQueue;
  /**
   * Whether a list that fails is delivered again, and nothing waits behind it: then only what no other delivery changes
   * is kept.
   */
  readonly isRedelivered: boolean;
}

/**
 * The states that start a workflow for each record of a list, in order, as {@link DispatcherFragment} does for one.
 *
 * They always end well where the records have been started or kept: a pipe hands a batch over again that has failed,
 * and nothing behind it before. A record that cannot be read, or not started for a while, is kept in the dead-letter
 * queue, as it came, and blocks nothing. They fail only where nothing can be kept.
 */
export class RecordsFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, props: RecordsFragmentProps) {
    super(scope, id);
    const { records, deadLetterQueue, ...ofOne } = props;
    const each = MapState.jsonata(this, DISPATCHER_STATE.eachRecord, {
      comment: 'What cannot be read is kept: nothing is evaluated before that can fail',
      items: ProvideItems.jsonata(records),
      // Nothing says in which order a custom event bus delivers, and its time is short.
      maxConcurrency: props.isRedelivered ? EVENTS_AT_ONCE : 1,
      outputs: ALL_WELL,
    });
    each.itemProcessor(
      new DispatcherFragment(this, 'Dispatch', {
        ...ofOne,
        volatile: [],
        input: undefined,
        // A failed record is kept as a whole.
        deadLetterQueue: undefined,
        namesRecord: false,
      }),
    );
    const keep = new KeepEvent(this, deadLetterQueue, {
      body: expression('$string($states.context.Execution.Input)'),
      error: expression('$notStarted.Error'),
    });
    retryStart(keep, RETRIES.keep);
    keep.next(
      Succeed.jsonata(this, DISPATCHER_STATE.kept, {
        comment: props.isRedelivered
          ? 'For the bus it is done: another delivery would end here again'
          : 'For the pipe it is done: the records behind it come next',
        outputs: ALL_WELL,
      }),
    );
    const errors = props.isRedelivered ? CHANGED_BY_NO_DELIVERY : [EVALUATION_FAILED];
    each.addCatch(keep, {
      errors: [...errors],
      assign: { notStarted: { Error: MALFORMED_RECORD } },
      outputs: PASS_INPUT_ON,
    });
    this.startState = each;
    if (props.isRedelivered) return;
    // By name: pages contradict each other on whether a catcher of all errors covers it. A number such as 1e20 is
    // longer when read.
    const failed = { assign: { notStarted: STEP_FAILURE } };
    each.addCatch(keep, { errors: [DATA_TOO_LONG], ...failed });
    each.addCatch(keep, failed);
  }
}

/** The most iterations that an Inline Map runs at the same time. */
const EVENTS_AT_ONCE = 40;

/** What a pipe takes for a batch in which nothing has failed. */
const ALL_WELL = { batchItemFailures: [] };

/**
 * The list of the events of a custom event bus, each without the members that differ between its deliveries. The pages
 * of AWS contradict each other on whether a batch of one is a list: both become a list of one.
 */
export function eventsExpression(volatile: readonly string[]): string {
  const event = `$type($event) = 'object' ? (${canonical('$event', volatile)}) : $event`;
  const read =
    volatile.length === 0 ? '$states.input' : `$map([$states.input], function($event) { ${event} })`;
  return expression(`[${read}]`);
}

/** How a source's records become what is delivered. */
export interface RecordShape {
  /** The member that is JSON in Base64; undefined: there is none. */
  readonly json?: string;
  /** The member that is text in Base64; undefined: there is none. */
  readonly text?: string;
  /** Members that are left out. */
  readonly without: readonly string[];
}

/**
 * The list of what is delivered: each record without some of its members, with what is in Base64 decoded. A member that
 * is not a text stays as it is. The evaluation fails if one is not Base64, not UTF-8, or not JSON.
 */
export function recordsExpression({ json, text, without }: RecordShape): string {
  const leftOut = without.map(literal).join(', ');
  const decoded = [json, text].flatMap(member =>
    member === undefined ? [] : [decodedMember(member, member === json)],
  );
  if (decoded.length === 0 && without.length === 0) return expression('$states.input');
  const kept = `$sift($record, function($value, $name) { $not($name in [${leftOut}]) })`;
  const read = `function($record) { $merge([${[kept, ...decoded].join(', ')}]) }`;
  return expression(`( ${UTF8}; [$map($states.input, ${read})] )`);
}

function decodedMember(member: string, isJson: boolean): string {
  const value = `$lookup($record, ${literal(member)})`;
  const text = `$utf8($base64decode(${value}))`;
  const read = isJson ? `$parse(${text})` : text;
  return `$type(${value}) = 'string' ? {${literal(member)}: ${read}} : {}`;
}

/**
 * Statements that define `$utf8`: the text of what `$base64decode` gives. For text beyond ASCII, the value is the text
 * itself or, as in the reference implementation of JSONata, a character for each byte. AWS does not document which.
 * Such a character is percent-encoded as two bytes, and these two identify the byte that it stands for. The second half
 * of them comes last, as the first one makes no more of it.
 */
const UTF8 = [
  "$isText := $length($base64decode('w6Q=')) = 1",
  "$bytes := function($text) { $encodeUrlComponent($text) ~> $replace(/%C3%8/, '%C') ~> $replace(/%C3%9/, '%D') " +
    "~> $replace(/%C3%A/, '%E') ~> $replace(/%C3%B/, '%F') ~> $replace(/%C2%([89AB])/, '%$1') }",
  '$utf8 := function($text) { $isText ? $text : $decodeUrlComponent($bytes($text)) }',
].join('; ');
