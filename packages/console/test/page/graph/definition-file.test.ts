import { definitionIn } from '../../../page/graph/definition-file';

const MACHINE = '{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}';

describe('the definition in a file', () => {
  test.each([
    ['the States Language', MACHINE, MACHINE],
    ['what describe-state-machine prints', JSON.stringify({ name: 'm', definition: MACHINE }), MACHINE],
    ['the same with the definition as an object', `{"definition":${MACHINE}}`, MACHINE],
    ['a history', '{"events":[]}', undefined],
    ['a definition that is none', '{"definition":"{}"}', undefined],
    ['a definition with states of null', '{"States":null}', undefined],
    ['null', 'null', undefined],
    ['no JSON', '{', undefined],
  ])('%s', (_, text, definition) => {
    expect(definitionIn(text)).toBe(definition);
  });
});
