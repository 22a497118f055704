import { startBatch } from '../../functions/start-from-queue/start-batch';

function batchOf(...bodies: string[]) {
  return { Records: bodies.map((body, index) => ({ messageId: `m${index}`, body })) };
}

/** A JSON object of so many bytes, most of them in characters of two. */
function bodyOf(bytes: number): string {
  const room = bytes - Buffer.byteLength('{"a":""}');
  return `{"a":"${'ä'.repeat(Math.floor(room / 2))}${'x'.repeat(room % 2)}"}`;
}

describe('a batch from the queue', () => {
  test('all started: nothing comes again', async () => {
    const started: string[] = [];
    const start = async (input: string) => {
      started.push(input);
      return undefined;
    };

    const answer = await startBatch(batchOf('{"a":1}', '{"b":2}'), start, fail);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(started).toEqual(['{"a":1}', '{"b":2}']);
  });

  test('a number of 17 digits reaches the workflow as it was written', async () => {
    const started: string[] = [];
    await startBatch(batchOf('{"n":0.12345678901234568}'), async input => void started.push(input), fail);

    expect(started).toEqual(['{"n":0.12345678901234568}']);
  });

  test('a body as long as an input may be: started', async () => {
    const started: string[] = [];
    await startBatch(batchOf(bodyOf(262_144)), async input => void started.push(input), fail);

    expect(started).toHaveLength(1);
  });

  test.each([
    ['no JSON', 'order 7', 'the body is not JSON'],
    ['empty', '', 'the body is not JSON'],
    ['half a document', '{"a":', 'the body is not JSON'],
    ['a list', '[1]', 'the body is not a JSON object'],
    ['a number', '7', 'the body is not a JSON object'],
    ['null', 'null', 'the body is not a JSON object'],
    ['a byte too long', bodyOf(262_145), 'the body has more than 262144 bytes'],
  ])(
    'a body that is %s: comes again, with the reason; its neighbours are started',
    async (_, body, reason) => {
      const complaints: string[] = [];
      const started: string[] = [];
      const start = async (input: string) => void started.push(input);

      const answer = await startBatch(batchOf('{"a":1}', body, '{"b":2}'), start, text =>
        complaints.push(text),
      );

      expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
      expect(started).toEqual(['{"a":1}', '{"b":2}']);
      expect(complaints.map(text => JSON.parse(text))).toEqual([
        { message: 'not started', messageId: 'm1', reason },
      ]);
    },
  );

  test('a start that fails or throws: comes again, and no content is told', async () => {
    const complaints: string[] = [];
    const start = async (input: string) => {
      if (input.includes('secret')) throw Object.assign(new Error('secret'), { name: 'ThrottlingException' });
      return input.includes('refused') ? 'Idempotency.NotStarted' : undefined;
    };

    const answer = await startBatch(batchOf('{"a":"secret"}', '{"a":"refused"}', '{"a":1}'), start, text =>
      complaints.push(text),
    );

    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m0', 'm1']);
    expect(complaints.join()).not.toContain('secret');
  });
});

function fail(text: string): void {
  throw new Error(text);
}
