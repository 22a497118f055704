import { BODY_BYTES_MAX, compactTemplate } from '../../infra/template/compact-template';
import { shortened } from '../../infra/template/shortened-text';
import { workflowTemplate } from '../../infra/template/workflow-template';

const KEY = { idempotencyKey: '{% $states.input.detail.orderId %}' };
const BUS = [{ eventBridge: { eventPattern: { source: ['shop.orders'] } } }];

/** The text that `Fn::Sub` makes: its variables first; references stay. */
function substituted(sub: unknown): string {
  const [text, variables] = (Array.isArray(sub) ? sub : [sub, {}]) as [string, Record<string, string>];
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
}

interface Resources {
  readonly [id: string]: {
    readonly Type: string;
    readonly Properties: { readonly DefinitionString?: { readonly 'Fn::Sub': unknown } };
  };
}

function definitionsOf(template: unknown): Record<string, unknown> {
  const resources = (template as { readonly Resources: Resources }).Resources;
  return Object.fromEntries(
    Object.entries(resources).flatMap(([id, { Properties }]) =>
      Properties.DefinitionString === undefined
        ? []
        : [[id, JSON.parse(substituted(Properties.DefinitionString['Fn::Sub']))]],
    ),
  );
}

const withoutComments = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, member) => (key === 'Comment' ? undefined : member)));

describe('the template of a workflow', () => {
  const made = workflowTemplate({ ...KEY, sources: BUS });

  test('the default with one event bus: fits into a request of CloudFormation', () => {
    expect(Buffer.byteLength(JSON.stringify(made.template))).toBeLessThanOrEqual(BODY_BYTES_MAX);
    expect(made.bytesMax).toBe(51_200);
  });

  test('the definition is the one of --asl, without its comments', () => {
    const names = /\$\{([A-Za-z]+)[.:]*([A-Za-z]*)\}/g;
    const { StateMachine } = JSON.parse(
      JSON.stringify(definitionsOf(made.template)).replaceAll(names, (_, one, other) => `\${${one}${other}}`),
    );

    expect(StateMachine).toEqual(withoutComments(made.asl.definition));
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
    [
      'a random text of few letters',
      Array.from({ length: 900 }, (_, at) => 'ab${c}"'[(at * at * 7 + at) % 7]).join(''),
    ],
  ])('%s: its pieces put back make the same text', (_what, text) => {
    const { text: short, pieces } = shortened(text);

    expect(substituted([short, pieces])).toBe(text);
  });

  test('a repeated text becomes a piece', () => {
    const { text, pieces } = shortened('the same long text; the same long text; the same long text');

    expect(Object.values(pieces).join()).toContain('the same long text');
    expect(text.length).toBeLessThan(40);
  });
});
