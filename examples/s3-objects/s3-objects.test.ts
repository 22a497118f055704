import { checkFindings } from '../findings';
import { synthesized } from '../fixture';
import { Archive, type Change, LIFE } from './archive';
import { comparableSequencer } from './functions/catalogue/sequencer';
import { play } from './play';
import { S3ObjectsStack } from './stack';

const MINUTE = 60_000;

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

describe('the catalogue of a bucket', () => {
  const { assembly, remove } = synthesized(app => new S3ObjectsStack(app, 'S3Objects'));
  let archive: Archive;
  beforeEach(async () => {
    archive = await new Archive().open(assembly);
  });
  afterEach(() => archive.close());
  afterAll(remove);

  test('an older event than the one that is known: its version is scanned, the catalogue stays', async () => {
    const [draft, corrected] = LIFE as [Change, Change];
    await archive.deliver(['a', corrected]);
    const [late] = await archive.deliver(['a', draft]);

    expect(JSON.parse(late?.output ?? '')).toEqual({ isNewest: false });
    expect(await archive.states()).toEqual(new Map([['a', 'corrected']]));
    expect([...(await archive.scans())].sort()).toEqual(['a corrected', 'a draft']);
  });

  test('an object that was deleted: an earlier event does not restore it', async () => {
    const [draft, , deletion] = LIFE as [Change, Change, Change];
    await archive.deliver(['a', deletion]);
    await archive.deliver(['a', draft]);

    expect(await archive.states()).toEqual(new Map([['a', 'deleted']]));
  });

  test('an execution that was interrupted, and is resumed after later events: it overwrites nothing', async () => {
    const [draft, corrected] = LIFE as [Change, Change];
    await archive.deliverAndDie('a', draft);
    await archive.deliver(['a', corrected]);
    await archive.pass(10 * MINUTE);

    expect(await archive.states()).toEqual(new Map([['a', 'corrected']]));
    expect([...(await archive.scans())].sort()).toEqual(['a corrected', 'a draft']);
  });

  test('equal sequencers of other objects: nothing in common', async () => {
    const [draft] = LIFE as [Change];
    await archive.deliver(['a', draft], ['b', draft], ['folder/ä #1.txt', draft]);

    expect([...(await archive.states()).keys()].sort()).toEqual(['a', 'b', 'folder/ä #1.txt']);
    expect(await archive.scans()).toHaveLength(3);
  });

  test('one sequencer with another content: rejected, as no event that S3 sends', async () => {
    const [draft] = LIFE as [Change];
    await archive.deliver(['a', draft]);
    const [forged] = await archive.deliver(['a', { ...draft, etag: 'forged' }]);

    expect(forged).toMatchObject({ status: 'FAILED', error: 'Idempotency.PayloadMismatch' });
    expect(await archive.states()).toEqual(new Map([['a', 'draft']]));
  });

  test.each([
    ['none', undefined, 'Idempotency.InvalidEvent'],
    ['no hexadecimal digits', 'later', 'InvalidSequencer'],
  ])('a sequencer that is %s: rejected, and the catalogue stays', async (_, sequencer, error) => {
    const [execution] = await archive.deliver(['a', { etag: 'x', sequencer: sequencer as string }]);

    expect(execution).toMatchObject({ status: 'FAILED', error });
    expect(await archive.states()).toEqual(new Map());
  });

  test('the story of the command: always the last state, each version scanned once', async () => {
    const rows = await play(archive);

    expect(rows.filter(({ isRight }) => !isRight)).toEqual([]);
    expect(rows.map(({ objects }) => objects)).toEqual([1, 24, 24, 1, 1]);
  });
});

describe('sequencers', () => {
  test.each([
    ['61', '62'],
    ['10', 'A'],
    ['0055AED6DCD90281E5', '0055AED6DD'],
    ['0055AED6DD', '0055AED6DD00A1'],
    ['9f', 'A0'],
  ])('%s is before %s', (earlier, later) => {
    expect(comparableSequencer(earlier) < comparableSequencer(later)).toBe(true);
  });

  test('zeros on the right, and small letters: the same moment', () => {
    expect(comparableSequencer('61a')).toBe(comparableSequencer('61A00'));
  });

  test.each([undefined, '', 7, 'xyz', 'A'.repeat(65)])('%p: rejected', sequencer => {
    expect(() => comparableSequencer(sequencer)).toThrow('up to 64 hexadecimal digits');
  });
});

test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
  expect(() => checkFindings(app => new S3ObjectsStack(app, 'S3Objects'))).not.toThrow();
});
