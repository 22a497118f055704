import { findResource } from '../../assembly/find-resource';
import { loadAssembly } from '../../load-assembly';
import { synthesizeShop } from '../testing/shop';
import { temporaryDirectory, writeAssembly } from './assembly-directory';

const directory = temporaryDirectory();

function load(assembly: string) {
  const loaded = loadAssembly(assembly);
  if (loaded.kind === 'assembly') return loaded.assembly.namedResources;
  throw new Error(JSON.stringify(loaded.problems));
}

describe('a resource of a CDK app, by its construct path', () => {
  const resources = load(synthesizeShop());
  const find = (path: string, type?: string) => {
    const search = findResource(resources, path, type);
    return search.kind === 'found' ? search.resource : search.message;
  };

  test('the path of a construct, with or without what the CDK ends it in: its names', () => {
    const queue = {
      constructPath: 'Shop/Inbox',
      type: 'AWS::SQS::Queue',
      stack: 'Shop',
      name: expect.stringMatching(/^Shop-Inbox/),
      arn: expect.stringMatching(/^arn:aws:sqs:us-east-1:111111111111:Shop-Inbox/),
    };

    expect(find('Shop/Inbox')).toMatchObject(queue);
    expect(find('/Shop/Inbox/Resource')).toMatchObject(queue);
  });

  test.each([
    ['Orders/Machine', 'AWS::StepFunctions::StateMachine', 'arn:aws:states:'],
    ['Orders/Table', 'AWS::DynamoDB::Table', 'arn:aws:dynamodb:'],
    ['Orders/Bus', 'AWS::Events::EventBus', 'arn:aws:events:'],
    ['Orders/EachDay', 'AWS::Events::Rule', 'arn:aws:events:'],
    ['ChargeFunction', 'AWS::Lambda::Function', 'arn:aws:lambda:'],
    ['News', 'AWS::SNS::Topic', 'arn:aws:sns:'],
  ])('%s, the end of a path: %s', (path, type, arn) => {
    expect(find(path)).toMatchObject({ type, arn: expect.stringContaining(arn) });
  });

  test('a REST API: its id', () => {
    expect(find('Shop/Api')).toMatchObject({
      type: 'AWS::ApiGateway::RestApi',
      ref: expect.stringMatching(/^[a-z0-9]{10}$/),
    });
  });

  test('a construct of several resources: the one of the type asked for', () => {
    expect(find('Shop/Orders', 'AWS::DynamoDB::Table')).toMatchObject({ constructPath: 'Shop/Orders/Table' });
    expect(find('Orders', 'AWS::DynamoDB::Table')).toMatchObject({ constructPath: 'Shop/Orders/Table' });
  });

  test('one that could be several: all of them are named', () => {
    expect(find('Shop/Orders', 'AWS::StepFunctions::StateMachine')).toBe(
      'Shop/Orders matches several constructs; pass the whole path of one: ' +
        'Shop/Orders/Machine (AWS::StepFunctions::StateMachine), ' +
        'Shop/Orders/Report (AWS::StepFunctions::StateMachine)',
    );
  });

  test('a slip of the pen: the near ones are named, the nearest first', () => {
    expect(find('Shop/Order/Machin')).toMatch(
      /^no resource has the construct path Shop\/Order\/Machin; near it: Shop\/Orders\/Machine \(/,
    );
    expect(find('Mial')).toMatch(/near it: Shop\/Mail \(AWS::SQS::Queue\), /);
    expect(find('Orders/Tble')).toMatch(/near it: Shop\/Orders\/Table \(/);
    expect(find('Shop/Charge')).toMatch(/near it: Shop\/Orders\/ChargeFunction \(/);
    expect(find('Bus', 'AWS::S3::Bucket')).toBe(
      'Bus is not of the type AWS::S3::Bucket, but an AWS::Events::EventBus',
    );
    expect(find('Photos', 'AWS::S3::Bucket')).toBe(
      'no AWS::S3::Bucket has the construct path Photos; there is none in the assembly',
    );
  });
});

test('a template with paths in its metadata, or without any: found by these, or by the logical id', () => {
  const Metadata = { 'aws:cdk:path': 'Main/Orders/Resource' };
  const Resources = {
    Orders1: { Type: 'AWS::SQS::Queue', Metadata },
    Other: { Type: 'AWS::SQS::Queue' },
  };
  const written = writeAssembly(`${directory}/1`, { Main: { template: { Resources } } });

  expect(load(written).map(({ constructPath }) => constructPath)).toEqual(['Main/Orders', 'Main/Other']);
});

describe('a bucket, by its construct path', () => {
  test('CloudFormation makes up its name: in lower case, as the bucket is called', () => {
    const template = {
      Resources: { Data: { Type: 'AWS::S3::Bucket', Metadata: { 'aws:cdk:path': 'Shop/Data/Resource' } } },
    };
    const search = findResource(
      load(writeAssembly(`${directory}/bucket`, { Shop: { template } })),
      'Shop/Data',
    );

    expect(search).toMatchObject({ resource: { name: 'shop-data', ref: 'shop-data' } });
  });
});
