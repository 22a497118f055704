import { BODY_BYTES_MAX, compactTemplate, withoutComments } from '../../infra/template/compact-template';
import { exportedDefinition } from '../../infra/template/exported-definition';
import { type ShortenedText, shortened } from '../../infra/template/shortened-text';
import { workflowTemplate } from '../../infra/template/workflow-template';

const KEY = { idempotencyKey: '{% $states.input.detail.orderId %}' };
const BUS = [{ eventBridge: { eventPattern: { source: ['shop.orders'] } } }];

/** The text that `Fn::Sub` makes: its variables first; references stay. */
function substituted({ text, pieces }: ShortenedText): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => pieces[name] ?? whole);
}

describe('the template of a workflow', () => {
  test('the default with one event bus: fits into a request of CloudFormation', () => {
    const { template, bytesMax } = workflowTemplate({ ...KEY, sources: BUS });

    expect(Buffer.byteLength(JSON.stringify(template))).toBeLessThanOrEqual(BODY_BYTES_MAX);
    expect(bytesMax).toBe(51_200);
  });

  test('a template that fits anyway: keeps its comments', () => {
    const { template } = workflowTemplate({ ...KEY, recovery: 'none' });

    expect(JSON.stringify(template)).toContain('Comment');
  });
});

describe('compactTemplate', () => {
  test('joins of texts and references become substitutions; others stay', () => {
    const arn = {
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':', { 'Fn::GetAtt': ['A', 'Arn'] }, '${x}']],
    };
    const list = { 'Fn::Join': [',', { Ref: 'List' }] };

    expect(compactTemplate({ Outputs: { arn, list } } as never)).toEqual({
      Outputs: { arn: { 'Fn::Sub': 'arn:${AWS::Partition}:${A.Arn}${!x}' }, list },
    });
  });
});

describe('withoutComments', () => {
  test('comments of states, rules, retriers and branches go; a member of the same name in data stays', () => {
    const state = {
      Type: 'Task',
      Comment: 'a state',
      Arguments: { Comment: 'sent', States: { Comment: 'sent' } },
      Retry: [{ Comment: 'a retrier', ErrorEquals: ['Busy'] }],
      Catch: [{ Comment: 'a catcher', Output: { Comment: 'put out' } }],
      Branches: [
        { Comment: 'a branch', States: { Comment: { Comment: 'a state of this name', Type: 'Pass' } } },
      ],
      ItemProcessor: { Comment: 'a map', States: {} },
      Choices: [{ Comment: 'a rule', Assign: { Comment: 'a variable' } }],
    };

    expect(withoutComments({ Comment: 'all', StartAt: 'A', States: { A: state } })).toEqual({
      StartAt: 'A',
      States: {
        A: {
          Type: 'Task',
          Arguments: { Comment: 'sent', States: { Comment: 'sent' } },
          Retry: [{ ErrorEquals: ['Busy'] }],
          Catch: [{ Output: { Comment: 'put out' } }],
          Branches: [{ States: { Comment: { Type: 'Pass' } } }],
          ItemProcessor: { States: {} },
          Choices: [{ Assign: { Comment: 'a variable' } }],
        },
      },
    });
  });

  test('an input of the step with a member Comment reaches the function', () => {
    const stepInput = { Comment: '{% $states.input.detail.note %}' };

    const { template } = workflowTemplate({ ...KEY, sources: BUS, stepInput });

    const { definition } = exportedDefinition(template, 'StateMachine');
    expect(JSON.stringify(definition)).toContain('$states.input.detail.note');
  });
});

describe('shortened', () => {
  test.each([
    ['nothing is repeated', 'abcdefghijklmnopqrstuvwxyz'],
    ['a text twice', 'the same long text; the same long text; the same long text'],
    ['beside references', '${Records} is long, is long, is long ${Records.Arn} is long, is long, is long $'],
    ['a text that is one letter', 'a'.repeat(300)],
    ['characters of private use', `${'a long text, '.repeat(9)}\ue000\uf8ff`],
    [
      'references named as pieces would be',
      '${a} of a much longer text, ${b} of a much longer text, ${a} of a much longer text',
    ],
    ['an escaped reference', 'a long text ${!x}, a long text ${!x}, a long text ${!x}'],
    [
      'a random text of few letters',
      Array.from({ length: 900 }, (_, at) => 'ab${c}"'[(at * at * 7 + at) % 7]).join(''),
    ],
  ])('%s: its pieces put back make the same text', (_what, text) => {
    expect(substituted(shortened(text))).toBe(text);
  });

  test('characters that share a half: no piece begins or ends within one', () => {
    const text =
      '\u{1f600} before a longer text \u{1f601}; \u{10200} before a longer text \u{1f602}; \u{10600} before a longer text \u{1f603}';

    const { pieces } = shortened(text);

    expect(Object.keys(pieces)).not.toEqual([]);
    expect(Object.values(pieces).filter(piece => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece))).toEqual(
      [],
    );
  });

  test('a repeated text becomes a piece', () => {
    const { text, pieces } = shortened('the same long text; the same long text; the same long text');

    expect(Object.values(pieces).join()).toContain('the same long text');
    expect(text.length).toBeLessThan(40);
  });
});
