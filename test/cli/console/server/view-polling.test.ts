import { clientsFor } from '../../../../cli/aws/clients';
import { connectionTo } from '../../../../cli/console/connection';
import type { View, ViewRoute } from '../../../../cli/console/server/routes';
import { type Listener, ViewPoller } from '../../../../cli/console/server/view-polling';
import { Rejection } from '../../../../cli/program/rejection';

type Read = ViewRoute['read'];

/** A listener that keeps what it hears, and tells when it has heard so many. */
function listening() {
  const heard: unknown[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  const hear = (what: unknown) => {
    heard.push(what);
    for (const { count, done } of waiting) if (heard.length >= count) done();
  };
  const listener: Listener = { view: hear, fault: error => hear({ fault: error }) };
  const until = (count: number) =>
    new Promise<void>(done => (heard.length >= count ? done() : waiting.push({ count, done })));
  return { heard, listener, until };
}

function viewOf(text: string): View {
  return { where: text, isLocal: true, workflows: [] };
}

/** Readings that can be told apart. */
function counted(): Read {
  let count = 0;
  return async () => {
    count += 1;
    return viewOf(`reading ${count}`);
  };
}

describe('views that a page shows', () => {
  const target = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' };
  const aws = clientsFor(target, {}, new AbortController().signal);
  afterAll(() => aws.close());
  const connection = connectionTo(aws, { where: 'here', isLocal: true, stack: undefined });
  const routeOf = (read: Read, local = 1): ViewRoute => ({ read, every: { local, aws: 1 } });
  const leaving: (() => void)[] = [];
  afterEach(() => {
    for (const leave of leaving.splice(0)) leave();
  });
  const follow = (poller: ViewPoller, read: Read, every = 1) => {
    const one = listening();
    leaving.push(poller.follow('/connection', routeOf(read, every), one.listener));
    return one;
  };

  test('two look at one address: it is read once for both, the second gets at once what is there', async () => {
    const poller = new ViewPoller(connection);
    const reading = counted();
    const one = follow(poller, reading, 3_600_000);
    await one.until(1);
    const two = follow(poller, reading, 3_600_000);

    expect(two.heard).toEqual([viewOf('reading 1')]);
    await two.until(2);
    // The one that came has it read again: for both.
    expect([one.heard, two.heard]).toEqual([
      [viewOf('reading 1'), viewOf('reading 2')],
      [viewOf('reading 1'), viewOf('reading 2')],
    ]);
  });

  test('many look at many addresses: four are read at a time, each in its turn', async () => {
    const poller = new ViewPoller(connection);
    const addresses = Array.from({ length: 12 }, (_, index) => `/${index}`);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const looking = addresses.map(address => {
      const one = listening();
      const read: Read = () => {
        begun.push(address);
        return new Promise(resolve => ends.push(() => resolve(viewOf(address))));
      };
      leaving.push(poller.follow(address, routeOf(read, 3_600_000), one.listener));
      return one;
    });
    await new Promise(setImmediate);
    expect(begun).toEqual(addresses.slice(0, 4));
    // A view whose reader left before the turn came is not read.
    leaving[4]?.();

    for (let turn = 0; turn < 11; turn += 1) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }

    expect(begun).toEqual(addresses.filter(address => address !== '/4'));
    expect(looking.map(({ heard }) => heard.length)).toEqual(addresses.map(one => (one === '/4' ? 0 : 1)));
  });

  test('no reader any more: nothing is read; the next one has it read anew', async () => {
    const poller = new ViewPoller(connection);
    const reading = counted();
    const one = follow(poller, reading, 3_600_000);
    await one.until(1);
    leaving.splice(0)[0]?.();
    // The reading has heard of it.
    await new Promise(setImmediate);
    const two = follow(poller, reading, 3_600_000);
    await two.until(1);

    expect(two.heard).toEqual([viewOf('reading 2')]);
    expect(one.heard).toHaveLength(1);
  });

  test('a first reading that takes its time: what was read so far; later ones as a whole, with what was before', async () => {
    const poller = new ViewPoller(connection);
    const before: (View | undefined)[] = [];
    const one = follow(poller, async (_, onPart, last) => {
      before.push(last);
      onPart(() => viewOf(`part ${before.length}`));
      return viewOf(`whole ${before.length}`);
    });
    await one.until(3);

    expect(one.heard.slice(0, 3)).toEqual([viewOf('part 1'), viewOf('whole 1'), viewOf('whole 2')]);
    expect(before.slice(0, 2)).toEqual([undefined, viewOf('whole 1')]);
  });

  test('it cannot be read, and can again: a sentence, and the view', async () => {
    const poller = new ViewPoller(connection);
    let read = 0;
    const one = follow(poller, async () => {
      read += 1;
      if (read === 1) throw new Rejection('AWS does not answer');
      return viewOf('there');
    });
    await one.until(2);

    expect(one.heard.slice(0, 2)).toEqual([{ error: 'AWS does not answer' }, viewOf('there')]);
  });

  test('an internal error: the readers get it', async () => {
    const fault = new Error('a fault');
    const one = follow(new ViewPoller(connection), () => Promise.reject(fault));
    await one.until(1);

    expect(one.heard).toEqual([{ fault }]);
  });
});
