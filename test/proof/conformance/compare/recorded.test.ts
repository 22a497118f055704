import type { Step } from '../../../../proof/conformance/cases/recorded-case';
import {
  type ActualExecution,
  type Answer,
  compareCalls,
  compareExecution,
} from '../../../../proof/conformance/compare/recorded';

const FAILED = { status: 'FAILED', error: 'E', cause: 'at <name>' };

describe('executions', () => {
  test.each<[string, object, ActualExecution, string | undefined]>([
    ['the same end: equal', FAILED, { ...FAILED, cause: 'at home' }, undefined],
    ['another status: differs', FAILED, { ...FAILED, status: 'SUCCEEDED' }, '/status'],
    ['no error: differs', { status: 'FAILED', error: 'E' }, { status: 'FAILED' }, '/error'],
    [
      'an error that was not recorded: differs',
      { status: 'FAILED' },
      { status: 'FAILED', error: 'E' },
      '/error',
    ],
    [
      'an output, by its value',
      { status: 'S', output: { a: 1 } },
      { status: 'S', output: '{"a":1}' },
      undefined,
    ],
    ['an output that is a text', { status: 'S', output: 'x' }, { status: 'S', output: '"x"' }, undefined],
    [
      'an output that is the text of a number',
      { status: 'S', output: '1' },
      { status: 'S', output: '1' },
      undefined,
    ],
    ['another output: differs', { status: 'S', output: [1] }, { status: 'S', output: '[2]' }, '/output/0'],
    ['an output where none was: differs', { status: 'S' }, { status: 'S', output: 'null' }, '/output'],
    [
      'an event that was delivered twice: is one event',
      { other: { eventBridgeEvents: [{ id: '1' }, { id: '1' }, { id: '2' }] } },
      { status: 'S', other: { eventBridgeEvents: [{ id: '1' }, { id: '2' }] } },
      undefined,
    ],
    [
      'another time that was billed: is not compared',
      { other: { startSyncExecutionResponse: { billingDetails: { billedDurationInMilliseconds: 300 } } } },
      { other: { startSyncExecutionResponse: { billingDetails: { billedDurationInMilliseconds: 100 } } } },
      undefined,
    ],
    [
      'only its traces were recorded: the end is not compared',
      { other: {} },
      { status: 'S', output: '1' },
      undefined,
    ],
    [
      'a response beside it: compared without what the recorder added',
      { status: 'S', other: { describeExecution: { name: 'n', ResponseMetadata: 1 } } },
      { status: 'S', other: { describeExecution: { name: 'm' } } },
      '/describeExecution/name',
    ],
    [
      'a trace that cannot be looked at: not compared',
      { status: 'S', other: { deliveredMessages: [1] } },
      { status: 'S' },
      undefined,
    ],
  ])('%s', (_title, expected, actual, path) => {
    const recorded = {
      expected,
      placeholders: { '<name>': {} },
      ignore: [],
      historyOrder: 'strict',
    } as const;

    expect(compareExecution(recorded, actual)?.path).toBe(path);
  });

  test('a placeholder with a reference: stands for what the reference does', () => {
    const placeholders = { '<name>': { equals: '${LambdaName:f}' } };
    const recorded = { expected: FAILED, placeholders, ignore: [], historyOrder: 'strict' } as const;
    const references = new Map([['LambdaName:f', 'home']]);

    expect(compareExecution(recorded, { ...FAILED, cause: 'at home' }, references)).toBeUndefined();
    expect(compareExecution(recorded, { ...FAILED, cause: 'at sea' }, references)?.path).toBe('/cause');
  });
});

describe('answers', () => {
  const CREATED: Step = { id: 'c1', op: 'Create', request: {}, response: { arn: '<arn>' } };
  const REJECTED: Step = {
    id: 'c2',
    op: 'Create',
    request: {},
    error: { code: 'Exists', message: "Exists: '<arn>'" },
  };
  const said = (response: unknown): Answer => ({ kind: 'response', response });
  const rejected = (code: string, message: string): Answer => ({ kind: 'error', code, message });

  test.each<[string, readonly Step[], readonly (Answer | undefined)[], string | undefined]>([
    [
      'a response, then an error that names it: equal',
      [CREATED, { await: 'it is there' }, REJECTED],
      [said({ arn: 'a' }), undefined, rejected('Exists', "Exists: 'a'")],
      undefined,
    ],
    [
      'an error that names another: differs',
      [CREATED, REJECTED],
      [said({ arn: 'a' }), rejected('Exists', "Exists: 'b'")],
      '/calls/1/error/message',
    ],
    ['another code: differs', [REJECTED], [rejected('Gone', "Exists: 'a'")], '/calls/0/error/code'],
    ['an error for a response: differs', [CREATED], [rejected('Exists', '')], '/calls/0'],
    ['a response for an error: differs', [REJECTED], [said({})], '/calls/0'],
    ['no answer for a response: differs', [CREATED], [undefined], '/calls/0/response'],
    [
      'a response that was not recorded: not compared',
      [{ ...CREATED, responseNotRecorded: true }],
      [said(1)],
      undefined,
    ],
    [
      'an error of the recorder itself: not compared',
      [{ ...REJECTED, error: { type: 'ParamValidationError', code: 'X' } }],
      [undefined],
      undefined,
    ],
  ])('%s', (_title, calls, answers, path) => {
    const recorded = { calls, placeholders: { '<arn>': {} }, ignore: [] };

    expect(compareCalls(recorded, answers)?.path).toBe(path);
  });

  test('independent calls: a placeholder of one means nothing in the next', () => {
    const recorded = { calls: [CREATED, CREATED], placeholders: { '<arn>': {} }, ignore: [] };
    const answers = [said({ arn: 'a' }), said({ arn: 'b' })];

    expect(compareCalls(recorded, answers)?.path).toBe('/calls/1/response/arn');
    expect(compareCalls({ ...recorded, independentCalls: true }, answers)).toBeUndefined();
  });

  test('a member that the service sends only since after the recording: not a difference', () => {
    const calls = [{ id: 'c1', op: 'Describe', request: {}, response: { name: 'n' } }];
    const answers = [said({ name: 'n', encryptionConfiguration: { type: 'AWS_OWNED_KEY' } })];
    const recordedIn = (recorded: object) => ({ calls, placeholders: {}, ignore: [], recorded });

    expect(compareCalls(recordedIn({ lastValidated: '2024-06-01T10:18:07+00:00' }), answers)).toBeUndefined();
    expect(compareCalls(recordedIn({ date: '01-06-2024, 10:18:07' }), answers)).toBeUndefined();
    expect(compareCalls(recordedIn({ lastValidated: '2024-11-20T10:18:07+00:00' }), answers)?.path).toBe(
      '/calls/0/response/encryptionConfiguration',
    );
    expect(compareCalls(recordedIn({}), answers)?.path).toBe('/calls/0/response/encryptionConfiguration');
  });
});
