import { BODY_BYTES_MAX, compactTemplate } from '../../infra/template/compact-template';
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

describe('shortened', () => {
  test.each([
    ['nothing is repeated', 'abcdefghijklmnopqrstuvwxyz'],
    ['a text twice', 'the same long text; the same long text; the same long text'],
    ['beside references', '${Records} is long, is long, is long ${Records.Arn} is long, is long, is long $'],
    ['a text that is one letter', 'a'.repeat(300)],
    ['characters of private use', `${'a long text, '.repeat(9)}\ue000\uf8ff`],
    ['an escaped reference', 'a long text ${!x}, a long text ${!x}, a long text ${!x}'],
    [
      'a random text of few letters',
      Array.from({ length: 900 }, (_, at) => 'ab${c}"'[(at * at * 7 + at) % 7]).join(''),
    ],
  ])('%s: its pieces put back make the same text', (_what, text) => {
    expect(substituted(shortened(text))).toBe(text);
  });

  test('a repeated text becomes a piece', () => {
    const { text, pieces } = shortened('the same long text; the same long text; the same long text');

    expect(Object.values(pieces).join()).toContain('the same long text');
    expect(text.length).toBeLessThan(40);
  });
});
