import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commentWith } from '../../state-machine/contract/deployed-settings';
import { STATE } from '../../state-machine/contract/state-names';
import { keyExpression } from '../../state-machine/jsonata/key';
import { singleKey } from '../support/single-key';

/** The state machine that such an endpoint has. */
export const BILL = 'arn:aws:states:us-east-1:111111111111:stateMachine:Bill';

/** An endpoint that knows one workflow, by its definition, and starts nothing. */
export interface WorkflowEndpoint {
  readonly url: string;
  close(): void;
}

/** Serves the definition of a workflow with a key of one expression, as it is deployed. */
export async function serveWorkflow(key: string): Promise<WorkflowEndpoint> {
  const Item = { idempotencyKey: { S: keyExpression('Bill', singleKey(key)) } };
  const claim = {
    Type: 'Task',
    Resource: 'arn:aws:states:::dynamodb:putItem',
    Arguments: { TableName: 'T', Item },
  };
  const Comment = commentWith('Sends bills', {
    machine: 'workflow',
    scope: 'Bill',
    key,
    retentionSeconds: 3600,
  });
  const definition = JSON.stringify({ Comment, StartAt: STATE.claim, States: { [STATE.claim]: claim } });
  const body = JSON.stringify({ stateMachineArn: BILL, name: 'Bill', type: 'STANDARD', definition });
  const server = createServer((_request, response) => response.end(body));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A key that JSONata evaluates for ever. */
export const ENDLESS_KEY = '( $f := function($n){ $f($n) }; $f($states.input.id) )';
