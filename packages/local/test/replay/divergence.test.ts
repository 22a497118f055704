import type { JsonObject } from '../../json/json';
import { definitionOf, inShort, recorded, replayed, type States } from './recorded';

const RETRY = { ErrorEquals: ['Busy'], MaxAttempts: 1, IntervalSeconds: 5 };

const CALL: JsonObject = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: 'charge', Payload: { amount: '{% $states.input.amount %}' } },
  Assign: { receipt: '{% $states.result.Payload %}' },
  Output: { paid: '{% $states.input.amount %}' },
  Retry: [RETRY],
  Catch: [{ ErrorEquals: ['Declined'], Next: 'Declined' }],
  TimeoutSeconds: 30,
  Next: 'Large?',
};

const ORDER: States = {
  Charge: CALL,
  'Large?': {
    Type: 'Choice',
    Choices: [{ Condition: '{% $states.input.paid > 100 %}', Next: 'Report' }],
    Default: 'Done',
  },
  Report: { Type: 'Pass', Next: 'Done' },
  Declined: { Type: 'Fail', Error: 'OrderDeclined', Cause: 'the card was declined' },
  Done: { Type: 'Succeed' },
};

const PAID = { input: { amount: 12 }, answers: [{ output: { Payload: 'r-1' }, afterMs: 100 }] };
const RETRIED = { input: { amount: 12 }, answers: [{ error: 'Busy' }, { output: { Payload: 'r-1' } }] };
const DECLINED = { input: { amount: 12 }, answers: [{ error: 'Declined' }] };
const FAILED = { input: { amount: 12 }, answers: [{ error: 'Busy' }, { error: 'Busy' }] };

const charge = (more: JsonObject): States => ({ ...ORDER, Charge: { ...CALL, ...more } });

describe('an execution that is replayed against its own definition', () => {
  test.each([
    ['paid', PAID],
    ['retried', RETRIED],
    ['declined', DECLINED],
    ['failed', FAILED],
    ['timed out', { input: { amount: 12 } }],
    ['stopped', { ...PAID, stop: { atMs: 50, error: 'Operator' } }],
    [
      'redriven',
      { ...FAILED, answers: [...FAILED.answers, { output: { Payload: 'r-1' } }], redriveAtMs: [9000] },
    ],
  ])('%s: goes the same way', (_title, script) => {
    expect(inShort(replayed(ORDER, recorded(ORDER, script)))).toBe('same');
  });
});

describe('a definition that was changed', () => {
  const cases: [title: string, script: object, states: States, expected: string][] = [
    [
      'another argument',
      PAID,
      charge({
        Arguments: { FunctionName: 'charge', Payload: { amount: '{% $states.input.amount + 1 %}' } },
      }),
      'event 3, "Charge": arguments Payload.amount: 12 / 13',
    ],
    [
      'an argument more',
      PAID,
      charge({ Arguments: { ...(CALL['Arguments'] as JsonObject), InvocationType: 'Event' } }),
      'event 3, "Charge": arguments InvocationType: nothing / "Event"',
    ],
    [
      'another resource',
      PAID,
      charge({ Resource: 'arn:aws:states:::aws-sdk:lambda:invoke' }),
      'event 3, "Charge": resource resourceType: "lambda" / "aws-sdk:lambda"',
    ],
    [
      'another timeout',
      PAID,
      charge({ TimeoutSeconds: 20 }),
      'event 3, "Charge": limits timeoutInSeconds: 30 / 20',
    ],
    [
      'another output',
      PAID,
      charge({ Output: { paid: '{% $states.input.amount %}', currency: 'EUR' } }),
      'event 6, "Charge": output currency: nothing / "EUR"',
    ],
    [
      'a new variable',
      PAID,
      charge({ Assign: { ...(CALL['Assign'] as JsonObject), at: 'now' } }),
      'event 6, "Charge": variables at: nothing / "now"',
    ],
    [
      'a state between',
      PAID,
      { ...charge({ Next: 'Between' }), Between: { Type: 'Pass', Next: 'Large?' } },
      'event 7, "Charge": next: enters "Large?", a Choice state / enters "Between"',
    ],
    [
      'another choice',
      PAID,
      {
        ...ORDER,
        'Large?': {
          Type: 'Choice',
          Choices: [{ Condition: '{% $states.input.paid > 10 %}', Next: 'Report' }],
          Default: 'Done',
        },
      },
      'event 9, "Large?": next: enters "Done", a Succeed state / enters "Report"',
    ],
    [
      'another type of state',
      PAID,
      { ...ORDER, Done: { Type: 'Pass', End: true } },
      'event 9, "Large?": event: enters "Done", a Succeed state / enters "Done", a Pass state',
    ],
    [
      'no retrier any more',
      RETRIED,
      charge({ Retry: [] }),
      'event 6, "Charge": retry: tries "Charge" again / fails with Busy',
    ],
    [
      'a retry more',
      FAILED,
      charge({ Retry: [{ ...RETRY, MaxAttempts: 3 }] }),
      'event 9, "Charge": retry: fails with Busy / tries "Charge" again',
    ],
    [
      'a catcher of other errors',
      DECLINED,
      charge({ Catch: [{ ErrorEquals: ['Rejected'], Next: 'Declined' }] }),
      'event 6, "Charge": event: leaves "Charge" / fails with Declined',
    ],
    [
      'another error at the end',
      DECLINED,
      { ...ORDER, Declined: { Type: 'Fail', Error: 'CardDeclined' } },
      'event 8, "Declined": error: "OrderDeclined" / "CardDeclined"',
    ],
    [
      'an expression that fails',
      PAID,
      charge({ Output: '{% $states.input.nothing %}' }),
      'event 6, "Charge": event: leaves "Charge" / fails in an expression: The JSONata expression ' +
        "'$states.input.nothing' specified for the field 'Output' returned nothing (undefined).",
    ],
  ];

  test.each(cases)('%s: is reported at the event', (_title, script, states, expected) => {
    expect(inShort(replayed(states, recorded(ORDER, script)))).toBe(expected);
  });

  test('an end in place of a next state, and the other way around', () => {
    const longer: States = { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', End: true } };
    const shorter: States = { A: { Type: 'Pass', End: true } };

    expect(inShort(replayed(shorter, recorded(longer)))).toBe(
      'event 4, "A": event: enters "B", a Pass state / succeeds',
    );
    expect(inShort(replayed(longer, recorded(shorter)))).toBe('event 4, "A": next: succeeds / enters "B"');
  });

  test('a time limit of the machine: a run that took longer is reported, and so is one that timed out without a limit', () => {
    const wait: States = { W: { Type: 'Wait', Seconds: 100, End: true } };
    const history = recorded(wait);
    const limited = replayed(wait, history, { definition: definitionOf(wait, { TimeoutSeconds: 60 }) });
    const timedOut = replayed(wait, recorded(wait, {}, { TimeoutSeconds: 60 }));

    expect(inShort(limited)).toBe(
      'event 3, "W": timeout: leaves "W" / times out at 2026-01-01T00:01:00.000Z',
    );
    expect(inShort(timedOut)).toBe('event 3, "": timeout: times out / has no TimeoutSeconds');
  });
});

describe('what decides nothing', () => {
  test('another wait, another cause: notes', () => {
    const wait = (seconds: number, cause: string): States => ({
      W: { Type: 'Wait', Seconds: seconds, Next: 'F' },
      F: { Type: 'Fail', Error: 'E', Cause: cause },
    });

    expect(replayed(wait(60, 'two'), recorded(wait(5, 'one')))).toMatchObject({
      kind: 'same',
      status: 'FAILED',
      notes: [
        'event 3: "W" was left after 5 s; this definition waits 60 s',
        'event 5: the cause reads otherwise; wording is not compared',
      ],
    });
  });
});
