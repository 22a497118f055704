import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { runToEnd } from '../../index';
import { bundled, machine, newDirectory, type Started, start, synthesize } from './world';

const opened: S3Client[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client.destroy();
});

function clientOf({ stack }: Started): S3Client {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const endpoint = stack.endpoint;
  const client = new S3Client({ endpoint, region: stack.region, forcePathStyle: true, credentials });
  opened.push(client);
  return client;
}

async function textOf(client: S3Client, Key: string): Promise<string | undefined> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'photos', Key }));
  return Body?.transformToString();
}

describe('a bucket of the assembly', () => {
  test('a machine puts, a function reads and writes: one bucket, by the name that AWS would give it', async () => {
    const world = await start(
      stack => {
        const bucket = new Bucket(stack, 'Photos', { bucketName: 'photos' });
        const code = `
          import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
          const Bucket = process.env.BUCKET;
          export const handler = async () => {
            const client = new S3Client({});
            const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'a' }));
            const text = await Body.transformToString();
            await client.send(new PutObjectCommand({ Bucket, Key: 'b', Body: text.toUpperCase() }));
            return text;
          };`;
        const environment = { BUCKET: bucket.bucketName };
        const reader = bundled(stack, 'Reader', code, { functionName: 'reader', environment });
        const put = { Bucket: bucket.bucketName, Key: 'a', Body: { n: 'one' } };
        const Put = {
          Type: 'Task',
          Resource: 'arn:aws:states:::aws-sdk:s3:putObject',
          Arguments: put,
          Next: 'Read',
        };
        const Read = {
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke',
          Arguments: { FunctionName: reader.functionName },
          Output: '{% $states.result.Payload %}',
          End: true,
        };
        machine(stack, 'stores', { Put, Read });
      },
      { port: 0 },
    );

    const { executionArn } = await world.stack.runtime.startExecution({
      stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:stores',
    });
    await runToEnd(world.stack.runtime, world.clock);

    expect(await world.stack.runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      output: '"{\\"n\\":\\"one\\"}"',
    });
    expect(await textOf(clientOf(world), 'b')).toBe('{"N":"ONE"}');
    expect(world.stack.notRun).toEqual([]);
  });

  test('with a state directory: objects survive the process, with all that came with them', async () => {
    const state = newDirectory();
    const assembly = synthesize((stack: Stack) => void new Bucket(stack, 'Photos', { bucketName: 'photos' }));
    const options = { state, port: 0, seed: undefined as never };
    const first = await start(assembly, options);
    const object = {
      Bucket: 'photos',
      Key: 'ä!b\u{1f680}',
      Body: Buffer.from([0, 255, 10]),
      Metadata: { a: 'b' },
    };
    await clientOf(first).send(new PutObjectCommand({ ...object, ContentType: 'image/png' }));
    const before = await clientOf(first).send(new GetObjectCommand({ Bucket: 'photos', Key: object.Key }));
    const bytes = await before.Body?.transformToByteArray();
    await first.stack.close();

    const second = await start(assembly, options);
    const after = await clientOf(second).send(new GetObjectCommand({ Bucket: 'photos', Key: object.Key }));

    expect(await after.Body?.transformToByteArray()).toEqual(bytes);
    const { ETag, LastModified, ContentType, Metadata, ChecksumCRC32 } = before;
    expect(after).toMatchObject({ ETag, LastModified, ContentType, Metadata, ChecksumCRC32 });
    expect({ ContentType, Metadata, bytes: [...(bytes ?? [])] }).toEqual({
      ContentType: 'image/png',
      Metadata: { a: 'b' },
      bytes: [0, 255, 10],
    });
  });
});
