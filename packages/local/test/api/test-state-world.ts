import { SFN, type TestStateCommandInput } from '@aws-sdk/client-sfn';
import type { Json, JsonObject } from '../../json/json';
import type { ServiceTable } from '../../runtime/calls/service';
import { type ApiWorld, openApi } from './test-endpoint';

/** A request with data as values. */
export type TestRequest = Omit<TestStateCommandInput, 'definition' | 'input' | 'variables' | 'context'> & {
  readonly input?: Json;
  readonly variables?: Json;
  readonly context?: Json;
};

/** An endpoint whose TestState is asked by the SDK. */
export interface TestStateWorld extends ApiWorld {
  readonly sfn: SFN;
  /** Tests a state in JSONata, or in what it says, or a machine. */
  tested(state: JsonObject, request?: TestRequest): ReturnType<typeof ask>;
}

/** Opens an endpoint with these services. */
export async function openTestState(services?: ServiceTable): Promise<TestStateWorld> {
  const world = await openApi({ ...(services && { services }) });
  const credentials = { accessKeyId: 'x', secretAccessKey: 'y' };
  const sfn = new SFN({
    endpoint: world.api.endpoint,
    region: 'us-east-1',
    credentials,
    disableHostPrefix: true,
  });
  const close = () => {
    sfn.destroy();
    return world.close();
  };
  return { ...world, sfn, close, tested: (state, request = {}) => ask(sfn, state, request) };
}

async function ask(sfn: SFN, state: JsonObject, request: TestRequest) {
  const { input, variables, context, ...others } = request;
  const { $metadata: _, ...answer } = await sfn.testState({
    definition: JSON.stringify({ ...('States' in state ? {} : { QueryLanguage: 'JSONata' }), ...state }),
    ...(input !== undefined && { input: JSON.stringify(input) }),
    ...(variables !== undefined && { variables: JSON.stringify(variables) }),
    ...(context !== undefined && { context: JSON.stringify(context) }),
    ...others,
  });
  return answer;
}

/** A Task that retries one error and catches all. */
export const CHARGE: JsonObject = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: 'charge', Payload: { amount: '{% $states.input.amount %}' } },
  Output: { charged: '{% $states.result.Payload.total %}' },
  Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, MaxAttempts: 2, BackoffRate: 3 }],
  Catch: [
    { ErrorEquals: ['Declined'], Next: 'Reject', Output: '{% $states.errorOutput.Cause %}' },
    { ErrorEquals: ['States.ALL'], Next: 'Apologize' },
  ],
  Next: 'Ship',
};

/** A result that it may have. */
export const RESULT = { result: JSON.stringify({ Payload: { total: 7 } }) };
