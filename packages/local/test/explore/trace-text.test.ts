import { type ExploreOptions, explore, type Seen } from '../../explore/explore';
import { CLAIM_FIRST, ORDER, PAYMENTS } from './payments';

function traceOf(invariant: (seen: Seen) => unknown, more: Partial<ExploreOptions> = {}): readonly string[] {
  const right = { definition: CLAIM_FIRST, inputs: [ORDER], tables: PAYMENTS };
  const { violation } = explore({ ...right, invariant, ...more });
  return violation?.trace.split('\n') ?? [];
}

describe('the trace of a violation', () => {
  test('a rejected request: its error and message, without what the SDK adds', () => {
    const isClaimedTwice = ({ executions }: Seen) =>
      executions.filter(({ status }) => status === 'SUCCEEDED').length < 2 || 'both have ended';

    expect(traceOf(isClaimedTwice, { faults: 0 })).toEqual([
      '  1. the input is delivered: execution 1',
      '  2. the input is delivered again: execution 2',
      '  3. execution 1: "Claim" is called',
      '     answers {}',
      '  4. execution 1: "Charge" is called',
      '     answers {"Payload":null,"StatusCode":200}',
      '  5. execution 2: "Claim" is called',
      '     fails with DynamoDB.ConditionalCheckFailedException: The conditional request failed',
      '  => both have ended',
      '     execution 1: SUCCEEDED',
      '     execution 2: SUCCEEDED',
    ]);
  });

  test('at its end: the status of each execution, with its error and cause', () => {
    const effects = { Charge: () => ({ error: 'CardDeclined', cause: 'no\nmoney' }) };
    const isEmpty = ({ executions }: Seen) =>
      executions.every(({ status }) => status === 'RUNNING') || 'ended';

    expect(traceOf(isEmpty, { effects, faults: 0, deliveries: 1 }).slice(-3)).toEqual([
      '     fails with CardDeclined: no money',
      '  => ended',
      '     execution 1: FAILED CardDeclined: no money',
    ]);
  });

  test('a long answer: one line that says where it is cut off, in no middle of a letter', () => {
    const Payload = `${'x'.repeat(138)}${'😀'.repeat(40)}`;
    const effects = { Charge: () => ({ Payload }) };
    const lines = traceOf(({ effects }) => effects.length === 0 || 'charged', { effects });
    const answer = lines.find(line => line.includes('xxx'))?.trim();

    expect(answer).toBe(`answers {"Payload":"${'x'.repeat(138)}…`);
    expect(answer?.length).toBeLessThanOrEqual(160);
  });
});
