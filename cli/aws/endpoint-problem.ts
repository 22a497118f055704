import { ListStateMachinesCommand } from '@aws-sdk/client-sfn';
import type { Aws } from './aws';
import { isNotPermitted, sentenceFor } from './failures';

/**
 * Why an endpoint does not answer, a sentence; undefined if it does, also if it denies the request.
 *
 * @throws the reason of `signal`, once that is aborted
 */
export async function endpointProblem({ sfn, signal }: Aws): Promise<string | undefined> {
  try {
    await sfn.send(new ListStateMachinesCommand({ maxResults: 1 }), { abortSignal: signal });
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    return isNotPermitted(error) ? undefined : sentenceFor(error, 'ListStateMachines', 'this endpoint');
  }
}
