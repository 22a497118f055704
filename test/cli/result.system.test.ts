import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import type { Json } from '@onceflow/local';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { openObjects } from '../../cli/aws/objects';
import { result } from '../../cli/commands/result';
import { PLAIN } from '../../cli/terminal';
import { Results } from '../../infra/index';
import { storeResult } from '../../state-machine/contract/index';
import { objectAt } from '../../state-machine/contract/stored-result';
import type { Variant } from '../support/variant';
import { fails, returns } from '../support/world';
import { onceflow } from './run-program';
import { type CliWorld, keyOfText, ORDER, openCliWorld } from './world';

const BIG = { text: 'ä\u202e'.repeat(40_000), precise: 0.12345678901234568, of: [null, 1e21, 5e-324] };
const TERMINAL = { width: 80, isColored: true };
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

let c: CliWorld;
let s3: S3;
afterEach(async () => {
  s3.destroy();
  await c.close();
});

const IN_BUCKET: Variant = {
  name: 'results-for-the-command-line',
  settings: stack => ({
    results: Results.inBucket(new Bucket(stack, 'Results', { bucketName: 'results' })),
  }),
};

async function open(variant?: Variant) {
  c = await openCliWorld(variant);
  const { endpoint = '', region } = c.world.stack;
  s3 = new S3({ endpoint, region, credentials: CREDENTIALS, forcePathStyle: true });
}

async function finishedWith(value: Json, orderId = 'order-7') {
  c.world.step = () => returns(value);
  await c.world.delivered({ ...ORDER, orderId });
}

interface Wanted {
  readonly output?: string;
  readonly presignSeconds?: number;
}

const wanted = (orderId: string, more: Wanted = {}, context = c.context) =>
  result.run(context, {
    key: keyOfText(orderId),
    output: undefined,
    presignSeconds: undefined,
    ...more,
  });

/** The sentence and the exit code of a rejection. */
const rejected = (orderId = 'order-7', more: Wanted = {}, context = c.context) =>
  wanted(orderId, more, context).then(
    () => 'answered',
    (error: Error & { readonly code?: number }) => `${error.code} ${error.message}`,
  );

async function placeOf(orderId = 'order-7') {
  const { resultLocation } = (await c.world.record(`ChargePayment#${orderId}`)) ?? {};
  const { bucket: Bucket = '', key: Key = '' } = objectAt(resultLocation?.S ?? '') ?? {};
  return { Bucket, Key };
}

describe('onceflow result, of a workflow with results in a bucket', () => {
  beforeEach(() => open(IN_BUCKET));

  test('a big result: its object, byte for byte, from the program; to a file; within a document', async () => {
    await finishedWith(BIG);
    const object = (await (await s3.getObject(await placeOf())).Body?.transformToString()) ?? '';
    const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-result-'));
    const output = path.join(directory, 'result.json');

    const { code, stdout, stderr } = await onceflow([
      'result',
      'order-7',
      '--endpoint',
      c.world.stack.endpoint,
    ]);
    const said = (await wanted('order-7', { output })).text(PLAIN);
    const file = readFileSync(output, 'utf8');
    rmSync(directory, { recursive: true });
    const { json } = await wanted('order-7');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(hashOf(stdout)).toBe(hashOf(object));
    expect(hashOf(file)).toBe(hashOf(object));
    expect(said).toBe(`${output} has the result, ${Buffer.byteLength(object)} bytes\n`);
    expect(String(json).endsWith(`,"result":${object}}`)).toBe(true);
    expect(JSON.parse(String(json))).toMatchObject({ from: 'bucket', result: { precise: BIG.precise } });
    expect(object).toContain('0.12345678901234568');
  });

  test('on a terminal: the same value, and nothing that turns what is shown around', async () => {
    await finishedWith(BIG);

    const shown = (await wanted('order-7')).text(TERMINAL);

    expect(shown).not.toMatch(/\p{Cf}/u);
    expect(JSON.parse(shown).text === BIG.text).toBe(true);
  });

  test('a URL of it: reads the object until it ends, and is made of no other object', async () => {
    await finishedWith(BIG);
    const place = await placeOf();

    const { json } = await wanted('order-7', { presignSeconds: 900 });

    const { url, expiresAt } = json as { readonly url: string; readonly expiresAt: Date };
    expect(url).toContain(`/results/ChargePayment/`);
    expect(url).toContain('X-Amz-Expires=900');
    expect(expiresAt.toISOString()).toBe('2026-11-20T09:15:00.000Z');
    expect(JSON.parse(await (await fetch(url)).text()).text === BIG.text).toBe(true);
    await c.world.pass(901_000);
    expect((await fetch(url)).status).toBe(403);
    await s3.putObject({ ...place, Body: '"another"', ChecksumAlgorithm: 'SHA256' });
    expect(await rejected('order-7', { presignSeconds: 900 })).toMatch(/^8 .* was replaced/);
  });

  test('an object that is another one, or gone: said, and nothing printed', async () => {
    await finishedWith(BIG);
    const place = await placeOf();
    await s3.putObject({ ...place, Body: '"another"' });

    expect(await rejected()).toMatch(/^8 the step has run, and its result is lost: s3:.* was replaced/);
    await s3.deleteObject(place);
    expect(await rejected()).toMatch(/^8 .*s3:\/\/results\/ChargePayment.* no longer exists$/);
    expect(await rejected('order-7', { presignSeconds: 60 })).toMatch(/^8 .* no longer exists$/);
  });

  test('a pointer of the step: its object; one to the place of another key: data', async () => {
    const pointerOf = async (idempotencyKey: string) => {
      const { storedResult } = await storeResult(s3, { idempotencyKey, attempt: 1 }, BIG, {
        bucket: 'results',
      });
      return { storedResult: { ...storedResult } };
    };
    const own = await pointerOf('ChargePayment#order-7');

    await finishedWith(own);
    await finishedWith(own, 'order-8');

    expect((await wanted('order-7')).text(PLAIN) === JSON.stringify(BIG)).toBe(true);
    expect((await wanted('order-8')).text(PLAIN)).toBe(JSON.stringify(own));
  });

  test('no permission: named, for the object and for a URL of it', async () => {
    await finishedWith(BIG);
    const server = createServer((_, response) =>
      response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>secret</Message></Error>'),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = { endpoint, region: 'us-east-1', credentials: CREDENTIALS, forcePathStyle: true };
    const objects = openObjects(config);
    const context = { ...c.context, aws: { ...c.aws, objects: () => objects } };

    const object = await rejected('order-7', {}, context);
    const url = await rejected('order-7', { presignSeconds: 60 }, context);
    objects.close();
    server.close();

    expect(object).toMatch(/^9 GetObject is denied\. Allow s3:GetObject on s3:\/\/results\/ChargePayment/);
    expect(url).toMatch(/^9 GetObject is denied\. Allow s3:GetObject on s3/);
  });

  test('show: says where it is, and which command prints it', async () => {
    await finishedWith(BIG);

    expect(await c.show()).toMatch(/result +s3:\/\/results\/ChargePayment\/\S+: `onceflow result` prints it/);
  });
});

test('a pointer of the step in a record that keeps nothing itself: its object, and a URL of that', async () => {
  await open({
    name: 'results-all-in-the-bucket',
    settings: stack => ({
      results: Results.inBucket(new Bucket(stack, 'Results', { bucketName: 'results' }), { maxInRecord: 0 }),
    }),
  });
  const event = { idempotencyKey: 'ChargePayment#order-7', attempt: 1 };
  const { storedResult } = await storeResult(s3, event, BIG, { bucket: 'results' });
  await finishedWith({ storedResult: { ...storedResult } });

  expect((await placeOf()).Key).not.toBe(storedResult.key);
  expect((await wanted('order-7')).text(PLAIN) === JSON.stringify(BIG)).toBe(true);
  const { url } = (await wanted('order-7', { presignSeconds: 60 })).json as { readonly url: string };
  expect((await (await fetch(url)).text()) === JSON.stringify(BIG)).toBe(true);
});

describe('onceflow result, of a workflow without a bucket', () => {
  beforeEach(() => open());

  test('in the record, or in the output of the owner: as it was written; no URL of it', async () => {
    await finishedWith({ charge: 'ä' });
    await finishedWith([0.12345678901234566], 'order-8');

    expect((await wanted('order-7')).text(PLAIN)).toBe('{"charge":"ä"}');
    expect((await wanted('order-8')).text(PLAIN)).toBe('[0.12345678901234566]');
    expect(await rejected('order-7', { presignSeconds: 60 })).toMatch(/^2 --presign: .* it is in the record/);
    expect(await rejected('order-8', { presignSeconds: 60 })).toMatch(/^2 --presign: .* the owner's output/);
    expect(await c.show('order-8')).toMatch(/result +in the owner's output, .*: `onceflow result` prints it/);
  });

  test('no result: each reason by its name and exit code', async () => {
    expect(await rejected()).toMatch(/^4 "ChargePayment#order-7" has no record in /);
    await c.ownerStoppedInStep();
    expect(await rejected()).toMatch(/^5 "ChargePayment#order-7" has no result yet/);
    c.world.step = () => fails('CardDeclined', 'insufficient funds');
    await c.world.delivered({ ...ORDER, orderId: 'order-8' });
    expect(await rejected('order-8')).toMatch(
      /^6 .*: the step has failed with CardDeclined: insufficient funds$/,
    );
  });

  test.each([
    [
      'an owner that is forgotten',
      'execution',
      /^7 .* left to its execution long-ago, which Step Functions does not/,
    ],
    ['an Express execution', 'express', /^7 .* long-ago, an Express execution, whose output/],
  ])('left to %s: gone', async (_, kind, sentence) => {
    await finishedWith([0.5]);
    const item = await c.world.record('ChargePayment#order-7');
    const owner = { S: `${c.workflow.stateMachineArn.replace(':stateMachine:', `:${kind}:`)}:long-ago` };
    await c.world.putRecord({ ...item, owner, result: { S: 'ELSEWHERE' } });

    expect(await rejected()).toMatch(sentence);
  });

  test('left to an owner that was stopped before it ended: gone, until it is redriven', async () => {
    await c.ownerStoppedInStep();
    const item = await c.world.record('ChargePayment#order-7');
    await c.world.putRecord({ ...item, status: { S: 'COMPLETED' }, result: { S: 'ELSEWHERE' } });
    const remedy = '`onceflow redrive` resumes it';

    expect(await rejected()).toMatch(new RegExp(`^7 .*, which ended ABORTED: ${remedy}`));
    await c.world.pass(3_600_000);
    expect(await c.show()).toMatch(
      new RegExp(`result +in the owner's output, .*; the owner ended without it: ${remedy}`),
    );
  });

  test('left to the owner by a workflow that is a part of a machine: gone, as its output is another', async () => {
    await finishedWith([0.12345678901234566]);
    const context = { ...c.context, workflow: { ...c.workflow, prefix: 'Charge ' } };

    expect(await rejected('order-7', {}, context)).toMatch(/^7 .* which does more than this workflow/);
  });

  test("another workflow's record: not answered", async () => {
    await finishedWith({ charge: 1 });
    const item = await c.world.record('ChargePayment#order-7');
    const owner = { S: 'arn:aws:states:us-east-1:111111111111:execution:Refund:e' };
    await c.world.putRecord({ ...item, owner });

    expect(await rejected()).toMatch(/^1 the record of "ChargePayment#order-7" belongs to another workflow/);
  });

  test('an expired record: gone, as for a delivery', async () => {
    await finishedWith({ charge: 1 });
    const item = await c.world.record('ChargePayment#order-7');
    await c.world.putRecord({ ...item, expiry: { N: '1000' } });

    expect(await rejected()).toMatch(/^7 the record of "ChargePayment#order-7" expired at 1970/);
  });
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
