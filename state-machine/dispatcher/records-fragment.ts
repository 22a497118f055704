import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  type IChainable,
  type INextable,
  Map as MapState,
  Pass,
  ProvideItems,
  type State,
  StateMachineFragment,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { CHANGED_BY_NO_DELIVERY, MALFORMED_RECORD } from '../contract/error-names';
import { expression, literal } from '../contract/jsonata';
import { DISPATCHER_STATE } from '../contract/state-names';
import { DATA_TOO_LONG } from '../tasks/aws-error-names';
import { evaluate } from '../tasks/evaluate';
import { DispatcherFragment, type DispatcherFragmentProps } from './dispatcher-fragment';
import { canonical, RETRIES, retryStart } from './dispatcher-states';
import { KeepEvent } from './keep-event';
import { RunFragment, type RunVariant } from './run-fragment';

/** Settings of a {@link RecordsFragment}. */
export interface RecordsFragmentProps
  extends Omit<DispatcherFragmentProps, 'volatile' | 'input' | 'deadLetterQueue' | 'namesRecord' | 'inList'> {
  /** JSONata of the delivered input, over one record that a pipe or a custom event bus hands over: `$record`. */
  readonly record: string;
  readonly deadLetterQueue: IQueue;
  /**
   * Whether a list that fails is delivered again, and nothing waits behind it: then only what no other delivery changes
   * is kept.
   */
  readonly isRedelivered: boolean;
  /** Of an Express workflow, which is run within the delivery. @default - a Standard one, which is started */
  readonly runs?: RunVariant | undefined;
}

/**
 * The states that start a workflow for each record of a list, in order, as {@link DispatcherFragment} does for one.
 *
 * A record that no other delivery could start hinders no other: it is kept in the dead-letter queue, as it came, when
 * all others have been started. A list of which something else cannot be started fails if it is delivered again, and
 * nothing of it is kept. A pipe hands over nothing behind a list that has failed, so all of it is kept, and it ends
 * well. They fail only where nothing can be kept.
 */
export class RecordsFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, props: RecordsFragmentProps) {
    super(scope, id);
    const { record, deadLetterQueue, isRedelivered, ...ofOne } = props;
    const each = MapState.jsonata(this, DISPATCHER_STATE.eachRecord, {
      comment: 'Each record by its own claim; nothing is evaluated here that can fail',
      items: ProvideItems.jsonata(RECORDS),
      itemSelector: {
        record: expression('$states.context.Map.Item.Value'),
        place: expression('$states.context.Map.Item.Index'),
      },
      // Nothing says in which order a custom event bus delivers, and its time is short.
      maxConcurrency: isRedelivered ? EVENTS_AT_ONCE : 1,
      assign: { kept: expression(MALFORMED), why: MALFORMED_RECORD },
      outputs: ALL_WELL,
    });
    each.itemProcessor(startOne(this, record, ofOne));
    const keep = this.keepEach(deadLetterQueue);
    each.next(keep);
    const all = { kept: expression(ALL_OF_IT) };
    this.startState = each;
    // By name: pages contradict each other on whether a catcher of all errors covers it. A number such as 1e20 is
    // longer when read.
    const malformed = { ...all, why: MALFORMED_RECORD };
    each.addCatch(keep, { errors: [...CHANGED_BY_NO_DELIVERY], assign: malformed });
    if (isRedelivered) return;
    const failed = { ...all, why: expression(NAME_OF_ERROR) };
    each.addCatch(keep, { assign: failed });
  }

  /** Keeps each record of the list `kept`, as a value that the service writes: `$string` would round its numbers. */
  private keepEach(deadLetterQueue: IQueue): MapState {
    const keepEach = MapState.jsonata(this, DISPATCHER_STATE.keepEach, {
      comment: 'For the sender these are done: another delivery would end here again',
      items: ProvideItems.jsonata(expression('$kept')),
      maxConcurrency: EVENTS_AT_ONCE,
      outputs: ALL_WELL,
    });
    const keep = new KeepEvent(this, deadLetterQueue, {
      body: expression(BODY),
      error: expression('$why'),
    });
    retryStart(keep, RETRIES.keep);
    return keepEach.itemProcessor(keep);
  }
}

/**
 * The pages of AWS contradict each other on whether a batch of one is a list: both become a list of one. Nothing in it
 * can fail. A record of a batch can be a list itself.
 */
export const RECORDS = expression('[$states.input]');

/** JSONata of the records to keep, each in an object: a list of lists would become one list. */
const MALFORMED = '[$filter($states.result, function($one) { $exists($one.malformed) })]';
/** SQS takes no null, and it is not documented whether it takes a number. */
const BODY =
  "$type($states.input.malformed) in ['object', 'array'] ? $states.input.malformed : $string($states.input.malformed)";
const ALL_OF_IT = "[$map([$states.context.Execution.Input], function($record) { {'malformed': $record} })]";

/** The most iterations that an Inline Map runs at the same time. */
export const EVENTS_AT_ONCE = 40;

/** What a pipe takes for a batch in which nothing has failed. */
const ALL_WELL = { batchItemFailures: [] };

const NAME_OF_ERROR =
  "$type($states.errorOutput.Error) = 'string' ? $states.errorOutput.Error : 'States.TaskFailed'";

/**
 * The keys of the events of a list would be one key. With a number, or null, as its input a Task fails by an error that
 * no catcher gets. A text is the input as JSON.
 */
const eventIn = (record: string) =>
  "$type($record) = 'object' or $type($record) = 'string' and $not($contains($record, /^[ \\t\\r\\n]*\\[/)) " +
  `? (${record}) : $error('an event is an object')`;

/** The states that start one record: `{record, place}`. */
function startOne(
  scope: Construct,
  record: string,
  { runs, ...ofOne }: Omit<RecordsFragmentProps, 'record' | 'deadLetterQueue' | 'isRedelivered'>,
): IChainable {
  const malformed = Pass.jsonata(scope, DISPATCHER_STATE.malformed, {
    comment: 'No delivery could start it: it is kept when the others have been started',
    outputs: { malformed: expression('$came') },
  });
  const take = evaluate(scope, DISPATCHER_STATE.takeRecord, {
    comment: 'What cannot be read hinders no other record',
    steps: [{ outputs: expression(`( $record := $states.input.record; ${eventIn(record)} )`) }],
    assign: {
      came: expression('$states.input.record'),
      place: expression('$string($states.input.place)'),
    },
    outputs: expression('$states.result[0]'),
  });
  const came = { assign: { came: expression('$states.input.record') } };
  take.addCatch(malformed, { errors: [DATA_TOO_LONG], ...came });
  take.addCatch(malformed, came);
  if (runs) return take.next(new RunFragment(scope, 'Run', { ...ofOne, ...runs }));
  return take.next(
    new DispatcherFragment(scope, 'Dispatch', {
      ...ofOne,
      volatile: [],
      input: undefined,
      deadLetterQueue: undefined,
      namesRecord: false,
      inList: { malformed },
    }),
  );
}

/** JSONata of an event of a custom event bus, in `$record`, without the members that differ between its deliveries. */
export function eventExpression(volatile: readonly string[]): string {
  if (volatile.length === 0) return '$record';
  return `$type($record) = 'object' ? (${canonical('$record', volatile)}) : $record`;
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
 * JSONata of the delivered input: the record in `$record` without some of its members, with Base64 decoded. A
 * member that is not a text stays as it is. The evaluation fails if one is not Base64, not UTF-8, or not JSON.
 */
export function recordExpression({ json, text, without }: RecordShape): string {
  const leftOut = without.map(literal).join(', ');
  const decoded = [json, text].flatMap(member =>
    member === undefined ? [] : [decodedMember(member, member === json)],
  );
  if (decoded.length === 0 && without.length === 0) return '$record';
  const kept = `$sift($record, function($value, $name) { $not($name in [${leftOut}]) })`;
  return `( ${UTF8}; $merge([${[kept, ...decoded].join(', ')}]) )`;
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
