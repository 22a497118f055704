import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { CfnEventBus, CfnSubscriber } from 'aws-cdk-lib/aws-eventsv2';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { runToEnd } from '../../index';
import { start } from './world';

// Python starts slowly beside other suites.
jest.setTimeout(60_000);

const CLIENT = "import boto3; boto3.client('eventbridgev2', region_name='us-east-1')";
const hasClient = spawnSync('python3', ['-c', CLIENT]).status === 0;

const PUBLISH = `
import boto3, sys
client = boto3.client('eventbridgev2', region_name='us-east-1', endpoint_url=sys.argv[1],
  aws_access_key_id='local', aws_secret_access_key='local')
entry = {'Source': 'shop.orders', 'DetailType': 'OrderPlaced', 'Detail': '{"orderId": "a"}'}
sys.exit(client.put_events(EventBusArn=sys.argv[2], Entries=[entry]).get('FailedEntryCount', 0))
`;

// npm has no client of custom event buses: that of Python speaks the wire of AWS.
const ifThere = hasClient ? test : test.skip;
ifThere('an event that boto3 publishes is delivered', async () => {
  const { stack, clock } = await start(scope => {
    const bus = new CfnEventBus(scope, 'Orders', { name: 'orders' });
    const work = new Queue(scope, 'Work', { queueName: 'work' });
    new CfnSubscriber(scope, 'Subscriber', {
      name: 'orders-to-work',
      eventBusArn: bus.attrEventBusArn,
      invokeConfiguration: { targetArn: work.queueArn, roleArn: 'arn', sqsParameters: {} },
    });
  });
  const { arn = '' } = stack.find('Main/Orders');

  const client = spawn('python3', ['-c', PUBLISH, stack.endpoint, arn], { stdio: 'inherit' });
  const [status] = await once(client, 'exit');
  await runToEnd(stack.runtime, clock);

  expect(status).toBe(0);
  const bodies = (stack.queues.peek('work') ?? []).map(({ body }) => JSON.parse(body));
  expect(bodies).toMatchObject([{ source: 'shop.orders', detail: { orderId: 'a' } }]);
});
