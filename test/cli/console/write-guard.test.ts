import { TOKEN_HEADER, WriteGuard } from '../../../cli/console/write-guard';

describe('who may write', () => {
  const tokenOf = (guard: WriteGuard) =>
    /<meta name="onceflow-token" content="([\w-]+)" \/><\/head>/.exec(guard.pageOf('<head></head>'))?.[1] ??
    '';
  const guard = new WriteGuard();
  const own = { [TOKEN_HEADER]: tokenOf(guard), 'content-type': 'application/json; charset=utf-8' };

  test('whoever has the token of this page', () => {
    expect(guard.refusalOf(own)).toBeUndefined();
  });

  test('each server has a token of its own, of 256 bits', () => {
    const another = tokenOf(new WriteGuard());

    expect(another).toHaveLength(43);
    expect(guard.refusalOf({ ...own, [TOKEN_HEADER]: another })).toMatch(/without the token of this page/);
  });

  test.each([undefined, '', `${tokenOf(guard)}x`, ` ${tokenOf(guard)}`])('the token %j: nobody', token => {
    expect(guard.refusalOf({ ...own, [TOKEN_HEADER]: token })).toMatch(/reload the page$/);
  });

  test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded'])(
    'a body of the type %j, as forms of other pages have it: refused',
    type => {
      expect(guard.refusalOf({ ...own, 'content-type': type })).toBe('only application/json is taken');
    },
  );
});
