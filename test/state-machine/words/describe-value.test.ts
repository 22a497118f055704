import { Duration } from 'aws-cdk-lib';
import { Recovery } from '../../../infra/index';
import { describeValue } from '../../../state-machine/words/describe-value';

describe('a given value, in words', () => {
  test.each<[string, unknown, string]>([
    ['a text in quotes', '3', '"3"'],
    ['a number', 3, '3'],
    ['no number', Number.NaN, 'NaN'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a function whose parentheses were forgotten', Recovery.automatic, 'a function; call it'],
    ['a class', Recovery, 'the class Recovery'],
    ['an instance', Duration.minutes(5), 'Duration'],
    ['a construct, without the number of its class', { node: {}, constructor: class Bucket2 {} }, 'Bucket'],
    ['an object that is short', { every: 5 }, '{"every":5}'],
    ['an object within one', { every: { minutes: 5 } }, 'an object'],
    ['an object that JSON cannot have', { every: 5n }, 'an object'],
    ['an object without a class', Object.create(null), '{}'],
    ['a list that is short', ['Foo'], '["Foo"]'],
    ['a list of other things', [null, Duration.minutes(5), ['Foo']], '[null, Duration, a list]'],
    ['a list that is long', Array.from({ length: 100 }, () => 'Foo'), 'a list'],
  ])('%s', (_, value, text) => {
    expect(describeValue(value)).toBe(text);
  });
});
