import { actionCallIn } from '../../../../cli/console/server/action-call';

describe('what a page may ask for', () => {
  const shown = { owner: 'arn', attempt: 1, status: 'FAILED', error: null };
  const request = { action: 'release', workflow: 'w', key: 'k', isForced: false, isDeleted: true, shown };
  const call = { request, values: { input: '{}' }, once: 'a' };

  test('a request with all of its members: as it was sent', () => {
    expect(actionCallIn(JSON.stringify(call))).toEqual(call);
  });

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['an unknown action', { ...call, request: { action: 'drop' } }],
    ['the name of what every object has', { ...call, request: { action: 'constructor' } }],
    ['a member that lacks', { ...call, request: { ...request, key: undefined } }],
    ['a flag that is a text', { ...call, request: { ...request, isForced: 'false' } }],
    ['a record without its status', { ...call, request: { ...request, shown: { ...shown, status: 1 } } }],
    ['a value that is no text', { ...call, values: { input: {} } }],
    ['nothing to be known by when it is sent again', { ...call, once: '' }],
  ])('%s: not taken', (_, sent) => {
    expect(actionCallIn(typeof sent === 'string' ? sent : JSON.stringify(sent))).toBeUndefined();
  });
});
