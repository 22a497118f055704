import {
  DeleteResourcePolicyCommand,
  PutItemCommand,
  PutResourcePolicyCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { RECORD } from '../../state-machine/contract/index';
import { type Environment, MOMENTS } from './environment';
import { ScenarioAborted } from './scenario-run';

type DeniedAction = 'PutItem' | 'UpdateItem';

/** Denies an action on the table to everybody, does something, and permits it again, however that ends. */
export async function denying<Done>(
  environment: Environment,
  action: DeniedAction,
  work: (allow: () => Promise<void>) => Promise<Done>,
): Promise<Done> {
  const { aws, outputs } = environment;
  const ResourceArn = outputs.table;
  const Statement = [
    {
      Sid: 'OnceflowVerify',
      Effect: 'Deny',
      Principal: '*',
      Action: [`dynamodb:${action}`],
      Resource: ResourceArn,
    },
  ];
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
  // Also after Ctrl-C.
  const allow = async () => {
    await aws.dynamodb.send(new DeleteResourcePolicyCommand({ ResourceArn }));
  };
  await aws.dynamodb.send(new PutResourcePolicyCommand({ ResourceArn, Policy }), { abortSignal: aws.signal });
  try {
    await untilDenied(environment, action);
    return await work(allow);
  } finally {
    await allow();
  }
}

/** The policy of a table is in force a while after it was put. A write that changes nothing shows when. */
async function untilDenied({ aws, outputs, moment }: Environment, action: DeniedAction): Promise<void> {
  const key = { [RECORD.idempotencyKey]: { S: 'onceflow-verify#probe' } };
  const never = {
    TableName: outputs.table,
    ConditionExpression: 'attribute_exists(#key) AND attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': RECORD.idempotencyKey },
  };
  for (let moments = 0; moments < MOMENTS; moments += 1) {
    const error = await (action === 'PutItem'
      ? aws.dynamodb.send(new PutItemCommand({ ...never, Item: key }), { abortSignal: aws.signal })
      : aws.dynamodb.send(new UpdateItemCommand({ ...never, Key: key }), { abortSignal: aws.signal })
    ).catch((denied: unknown) => denied);
    if (error instanceof Error && /^AccessDenied/.test(error.name)) return;
    await moment();
  }
  throw new ScenarioAborted('the policy of the table denies nothing here (PutResourcePolicy)');
}
