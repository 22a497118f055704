import { createHash } from 'node:crypto';
import type { JsonObject } from '../../json/json';
import { inShort, recorded, replayed, type States } from './recorded';

const CALL: JsonObject = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke' };
const call = (payload: JsonObject, more: JsonObject = { End: true }): JsonObject => ({
  ...CALL,
  Arguments: { FunctionName: 'f', Payload: payload },
  ...more,
});
const ANSWERED = { answers: [{ output: { ok: true }, afterMs: 500 }] };

describe('what is random', () => {
  const draw = (more: JsonObject): States => ({
    Draw: {
      Type: 'Pass',
      Assign: { id: '{% $uuid() %}', lot: '{% $random() %}' },
      Output: { of: 'order-7', ...more },
      Next: 'Send',
    },
    Send: call({ id: '{% $id %}', lot: '{% $lot %}' }),
  });

  test('is taken from the recording, and goes on from there', () => {
    const history = recorded(draw({}), { ...ANSWERED, random: 0.123 });

    expect(history).toContain('0.123');
    expect(inShort(replayed(draw({}), history))).toBe('same');
  });

  test('beside something that was changed: the change is reported', () => {
    const history = recorded(draw({}), { ...ANSWERED, random: 0.123 });

    expect(inShort(replayed(draw({ of: 'order-8' }), history))).toBe(
      'event 3, "Draw": output of: "order-7" / "order-8"',
    );
  });

  test('within a text that was changed: the change is reported', () => {
    const named = (begin: string, end: string): States => ({
      Draw: { Type: 'Pass', Output: `{% '${begin}' & $random() & '${end}' %}`, End: true },
    });
    const history = recorded(named('lot-', ';'), { random: 0.123 });

    expect(inShort(replayed(named('lot-', ';'), history))).toBe('same');
    expect(inShort(replayed(named('number-', ';'), history))).toMatch(
      /^event 3, "Draw": output: "lot-0\.123;"/,
    );
    expect(inShort(replayed(named('lot-', '.'), history))).toMatch(/^event 3, "Draw": output: "lot-0\.123;"/);
  });

  test('a choice that hangs on it: goes the recorded way', () => {
    const states: States = {
      Draw: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $random() < 0.2 %}', Next: 'Rare' }],
        Default: 'Mostly',
      },
      Rare: { Type: 'Pass', End: true },
      Mostly: { Type: 'Pass', End: true },
    };

    expect(inShort(replayed(states, recorded(states, { random: 0.1 })))).toBe('same');
    expect(inShort(replayed(states, recorded(states, { random: 0.9 })))).toBe('same');
  });

  test('the inputs of iterations and branches: taken from the recording', () => {
    const states: States = {
      Each: {
        Type: 'Map',
        Items: [1, 2],
        ItemSelector: { item: '{% $states.context.Map.Item.Value %}', id: '{% $random() %}' },
        ItemProcessor: { StartAt: 'One', States: { One: call({ given: '{% $states.input %}' }) } },
        Next: 'Both',
      },
      Both: {
        Type: 'Parallel',
        Arguments: { id: '{% $random() %}' },
        Branches: [
          { StartAt: 'Left', States: { Left: { Type: 'Pass', End: true } } },
          { StartAt: 'Right', States: { Right: { Type: 'Wait', Seconds: 1, End: true } } },
        ],
        End: true,
      },
    };
    const answers = [
      { output: 1, afterMs: 300 },
      { output: 2, afterMs: 100 },
    ];

    expect(inShort(replayed(states, recorded(states, { answers, random: 0.1 })))).toBe('same');
  });

  test('an output of a branch that is random: taken over into that of all', () => {
    const states: States = {
      Both: {
        Type: 'Parallel',
        Branches: [
          { StartAt: 'Left', States: { Left: { Type: 'Pass', Output: '{% $random() %}', End: true } } },
          { StartAt: 'Right', States: { Right: { Type: 'Wait', Seconds: 1, End: true } } },
        ],
        End: true,
      },
    };

    expect(inShort(replayed(states, recorded(states, { random: 0.1 })))).toBe('same');
  });
});

describe('the time', () => {
  const until = (ms: number): States => ({
    Wait: { Type: 'Wait', Seconds: 2, Next: 'Send' },
    Send: call({ until: `{% $millis() + ${ms} %}`, text: '{% $now() %}' }),
  });

  test('is that of the recording, to a moment', () => {
    const history = recorded(until(60_000), ANSWERED).replace(/1767225662000/, '1767225662345');

    expect(history).toContain('1767225662345');
    expect(inShort(replayed(until(60_000), history))).toBe('same');
  });

  test('within a text that was changed: told', () => {
    const named = (end: string): States => ({
      Now: { Type: 'Pass', Output: `{% $millis() & '${end}' %}`, End: true },
    });
    const history = recorded(named(' ms')).replaceAll('1767225600000', '1767225600456');

    expect(inShort(replayed(named(' ms'), history))).toBe('same');
    expect(inShort(replayed(named(' s'), history))).toMatch(/^event 3, "Now": output: "1767225600456 ms" \//);
    expect(inShort(replayed(named(''), history))).toMatch(/^event 3, "Now": output: "1767225600456 ms" \//);
  });

  test('a limit that was met some moment before its event: goes the recorded way', () => {
    const states: States = {
      'Late?': {
        Type: 'Choice',
        Choices: [{ Condition: '{% $millis() > 1767225600500 %}', Next: 'Late' }],
        Default: 'Early',
      },
      Late: { Type: 'Pass', End: true },
      Early: { Type: 'Pass', End: true },
    };
    const history = recorded(states).replaceAll('00:00:00.000', '00:00:00.900');

    expect(history).toContain('"name":"Early"');
    expect(inShort(replayed(states, history))).toBe('same');
  });

  test('a time that was changed: is reported', () => {
    expect(inShort(replayed(until(120_000), recorded(until(60_000), ANSWERED)))).toBe(
      'event 5, "Send": arguments Payload.until: 1767225662000 / 1767225722000',
    );
  });
});

describe('who the execution is', () => {
  const states: States = {
    Claim: call(
      { owner: '{% $states.context.Execution.Id %}', machine: '{% $states.context.StateMachine.Name %}' },
      { Next: 'Mine?' },
    ),
    'Mine?': {
      Type: 'Choice',
      Choices: [
        { Condition: '{% $states.input.owner = $states.context.Execution.Id %}', Next: 'Mine' },
        { Condition: '{% $states.context.Execution.Name = "e" %}', Next: 'Another' },
      ],
      Default: 'Another',
    },
    Mine: { Type: 'Pass', End: true },
    Another: { Type: 'Pass', End: true },
  };
  const arn = 'arn:aws:states:eu-west-1:111111111111:execution:m:e';

  test('is learned from what it has sent, and decides after that', () => {
    const history = recorded(states, { answers: [{ output: { owner: arn } }] });
    const report = replayed(states, history);

    expect(inShort(report)).toBe('same');
    expect(history).toContain('"name":"Mine"');
  });

  test('is not learned twice: another name in place of a known one is reported', () => {
    const history = recorded(states, { answers: [{ output: { owner: arn } }] });
    const other = history.replace('\\"machine\\":\\"m\\"', '\\"machine\\":\\"n\\"');

    expect(inShort(replayed(states, other))).toMatch(
      /^event 3, "Claim": arguments Payload\.machine: "n" \/ "m"$/,
    );
  });

  test('the token of a callback: whatever the recording has', () => {
    const waits: States = {
      Ask: {
        ...call({ token: '{% "t:" & $states.context.Task.Token %}' }),
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      },
    };
    const history = recorded(waits, {
      answers: [{ output: {} }],
      signals: [{ atMs: 1000, task: 0, kind: 'succeed', output: 1 }],
    }).replace(/t:[A-Za-z0-9+/=]+/, 't:AAAAKgAAAAIAAAAAAAAAAd');

    expect(inShort(replayed(waits, history))).toBe('same');
  });
});

describe('names that the definition leaves open', () => {
  const charge = (more: JsonObject): JsonObject => ({
    ...CALL,
    Arguments: { FunctionName: 'Stack-Charge', Payload: {} },
    ...more,
  });
  const openNames = ['Stack-Charge'];

  test('are taken from the recording, and told', () => {
    const states: States = { Send: charge({ End: true }) };
    const history = recorded(states, ANSWERED).replaceAll('Stack-Charge', 'Stack-Charge1A2B-Xy9');

    expect(replayed(states, history, { openNames })).toMatchObject({
      kind: 'same',
      taken: [{ name: 'Stack-Charge', value: 'Stack-Charge1A2B-Xy9' }],
    });
    expect(inShort(replayed(states, history))).toMatch(/arguments FunctionName/);
  });

  test('stand for one name each', () => {
    const states: States = { First: charge({ Next: 'Second' }), Second: charge({ End: true }) };
    const sent = recorded(states, { answers: [{ output: 1 }, { output: 2 }] });
    const renamed = sent.replace('Stack-Charge', 'one').replace('Stack-Charge', 'two');

    expect(inShort(replayed(states, renamed, { openNames }))).toBe(
      'event 8, "Second": arguments FunctionName: "two" / "one"',
    );
  });
});

describe('when the execution was started', () => {
  const started: States = {
    Claim: call({ claimId: '{% $states.context.Execution.StartTime %}' }, { Next: 'Store' }),
    Store: call({ key: "{% 'results/' & $hash($states.context.Execution.StartTime, 'SHA-256') %}" }),
  };
  /** The first event is written 4 ms after the start. */
  const late = (history: string) => {
    const { events } = JSON.parse(history) as { events: { timestamp: string }[] };
    const [first, ...others] = events;
    return JSON.stringify({ events: [{ ...first, timestamp: '2026-01-01T00:00:00.004Z' }, ...others] });
  };
  const answers = [{ output: {} }, { output: {} }];

  test('is learned from what it has sent, and what is hashed from it is compared', () => {
    const history = late(recorded(started, { answers }));
    const other = {
      ...started,
      Store: call({ key: "{% 'results/' & $hash($states.context.Execution.StartTime, 'MD5') %}" }),
    };

    expect(inShort(replayed(started, history))).toBe('same');
    expect(inShort(replayed(other, history))).toMatch(/^event \d+, "Store": arguments Payload\.key: /);
  });

  test('is learned also where the event has the very time', () => {
    const other = {
      ...started,
      Store: call({ key: "{% 'results/' & $hash($states.context.Execution.StartTime, 'MD5') %}" }),
    };

    expect(inShort(replayed(other, recorded(started, { answers })))).toMatch(/^event \d+, "Store": /);
  });

  test('is learned from the same call as what is hashed from it', () => {
    const both: States = {
      Store: call({
        key: "{% 'results/' & $hash($states.context.Execution.StartTime, 'SHA-256') %}",
        claimId: '{% $states.context.Execution.StartTime %}',
      }),
    };

    expect(inShort(replayed(both, late(recorded(both, { answers }))))).toBe('same');
  });

  test('where no event has said it: a hash of it may be any hash, and the text around it is compared', () => {
    const hashed = (prefix: string): States => ({
      Store: call({ key: `{% '${prefix}' & $hash($states.context.Execution.StartTime, 'SHA-256') %}` }),
    });
    const history = late(recorded(hashed('results/'), { answers }));

    expect(inShort(replayed(hashed('results/'), history))).toBe('same');
    expect(inShort(replayed(hashed('orders/'), history))).toMatch(
      /^event \d+, "Store": arguments Payload\.key: /,
    );
  });

  test('another time in its place: is reported', () => {
    const other = {
      ...started,
      Claim: call({ claimId: '{% "2026-01-01T00:00:09.000Z" %}' }, { Next: 'Store' }),
    };

    expect(inShort(replayed(other, late(recorded(started, { answers }))))).toMatch(
      /^event 3, "Claim": arguments Payload\.claimId: /,
    );
  });
});

test('a hash of when a state was entered: may be any hash, as the event was written some moment later', () => {
  const states: States = {
    Send: {
      ...call({ id: "{% $hash($states.context.State.EnteredTime, 'SHA-256') %}" }, {}),
      Output: "{% $hash($states.context.State.EnteredTime & 'o', 'SHA-256') %}",
      End: true,
    },
  };
  const history = recorded(states, ANSWERED).replaceAll('00:00:00.000', '00:00:00.007');

  expect(inShort(replayed(states, history))).toBe('same');
});

test.each(['order-7', '', 'z'.repeat(64), 'a'.repeat(16)])(
  'a hash of a name that nothing has said takes the place of %j: is reported',
  id => {
    const plain: States = { Send: call({ id }) };
    const hashed: States = {
      Send: call({ id: "{% $hash($states.context.Execution.Id & '#0', 'SHA-256') %}" }),
    };

    expect(inShort(replayed(hashed, recorded(plain, ANSWERED)))).toMatch(/^event 3, "Send":/);
  },
);

test('a hash of the name of the execution before anything has said it: may be any hash', () => {
  const states: States = {
    Send: call({ token: "{% $hash($states.context.Execution.Id & '#0', 'SHA-256') %}" }),
  };
  const differing = Array.from({ length: 40 }, (_, index) => {
    const history = recorded(states, ANSWERED);
    const token = createHash('sha256').update(String(index)).digest('hex');
    return inShort(replayed(states, history.replaceAll(/[0-9a-f]{64}/g, token)));
  }).filter(report => report !== 'same');

  expect(differing).toEqual([]);
});

test('a text that contains a hash of the unknown name and something random matches every such text', () => {
  const states: States = {
    Send: call({ token: "{% $hash($states.context.Execution.Id, 'SHA-256') & '/' & $uuid() %}" }),
  };
  const token = createHash('sha256').update('another name').digest('hex');
  const history = recorded(states, ANSWERED).replaceAll(/[0-9a-f]{64}/g, token);

  expect(history).toContain(token);
  expect(inShort(replayed(states, history))).toBe('same');
});

test('a hash of a time does not match a text that is not a hash', () => {
  const hashed: States = { Send: call({ id: "{% $hash($states.context.State.EnteredTime, 'SHA-256') %}" }) };

  expect(inShort(replayed(hashed, recorded({ Send: call({ id: 'order-7' }) }, ANSWERED)))).toMatch(
    /^event 3, "Send":/,
  );
});
