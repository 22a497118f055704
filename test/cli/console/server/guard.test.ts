import { rejectionOf, TOKEN_HEADER, WriteGuard } from '../../../../cli/console/server/guard';

describe('who is answered', () => {
  test.each([
    ['this machine by number', { host: '127.0.0.1:8084' }],
    ['by name', { host: 'localhost:8084' }],
    [
      'the page itself',
      { host: '127.0.0.1:8084', origin: 'http://127.0.0.1:8084', 'sec-fetch-site': 'same-origin' },
    ],
    ['an address that was typed in', { host: '127.0.0.1:8084', 'sec-fetch-site': 'none' }],
    [
      'a link in another page that opens this one',
      {
        host: '127.0.0.1:8084',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    ],
  ])('%s: answered', (_, headers) => {
    expect(rejectionOf(headers, 8084)).toBeUndefined();
  });

  test.each([
    ['a name that resolves to this machine', { host: 'evil.example:8084' }, /^Host 'evil\.example:8084'/],
    ['another port', { host: '127.0.0.1:9999' }, /^Host/],
    ['no host', {}, /^Host ''/],
    ['a page of another origin', { host: '127.0.0.1:8084', origin: 'https://evil.example' }, /^Origin/],
    ['a page of another port', { host: '127.0.0.1:8084', origin: 'http://127.0.0.1:3000' }, /^Origin/],
    ['a page in a sandbox', { host: '127.0.0.1:8084', origin: 'null' }, /^Origin/],
    [
      'a script tag in another page',
      {
        host: '127.0.0.1:8084',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'script',
      },
      /other pages/,
    ],
    [
      'a frame in another page',
      {
        host: '127.0.0.1:8084',
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'iframe',
      },
      /other pages/,
    ],
  ])('%s: rejected', (_, headers, message) => {
    expect(rejectionOf(headers, 8084)).toMatch(message);
  });
});

describe('who may write', () => {
  const tokenOf = (guard: WriteGuard) =>
    /<meta name="onceflow-token" content="([\w-]+)" \/><\/head>/.exec(guard.pageOf('<head></head>'))?.[1] ??
    '';
  const guard = new WriteGuard();
  const own = { [TOKEN_HEADER]: tokenOf(guard), 'content-type': 'application/json; charset=utf-8' };

  test('the holder of the token of this page', () => {
    expect(guard.rejectionOf(own)).toBeUndefined();
  });

  test('each server has a token of its own, of 256 bits', () => {
    const another = tokenOf(new WriteGuard());

    expect(another).toHaveLength(43);
    expect(guard.rejectionOf({ ...own, [TOKEN_HEADER]: another })).toMatch(
      /the token of the page is missing/,
    );
  });

  test.each([undefined, '', `${tokenOf(guard)}x`, ` ${tokenOf(guard)}`])('the token %j: no caller', token => {
    expect(guard.rejectionOf({ ...own, [TOKEN_HEADER]: token })).toMatch(/Reload the page$/);
  });

  test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded'])(
    'a body of the type %j, as forms of other pages have it: rejected',
    type => {
      expect(guard.rejectionOf({ ...own, 'content-type': type })).toBe(
        'the content type must be application/json',
      );
    },
  );
});
