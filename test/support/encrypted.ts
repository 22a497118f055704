import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type IdempotentWorkflowProps, RecordTable } from '../../infra/index';
import { everySource } from './every-source';
import { newStack, type Statement } from './synthesize';

/** The ARN of the key `Key` of a stack. */
export const THE_KEY = { 'Fn::GetAtt': ['Key961B73FD', 'Arn'] };

/** A workflow with every source, encrypted with a key, on a table that another key encrypts. */
export function encrypted(props: Partial<IdempotentWorkflowProps> = {}): Template {
  const stack = newStack();
  const table = new RecordTable(stack, 'Records', { encryptionKey: new Key(stack, 'TableKey') });
  everySource(stack, { table, metrics: true, encryptionKey: new Key(stack, 'Key'), ...props });
  return Template.fromStack(stack);
}

/** A value of a template as text, such as `arn:AWS::Partition:states:…`. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, content] = ['', undefined]] = Object.entries(value as object);
  if (name === 'Fn::Join') return (content[1] as unknown[]).map(textOf).join(content[0]);
  return name === 'Ref' ? content : JSON.stringify(value);
}

/** The statements of a key's policy, except the first, which leaves the key to the policies of the account. */
export function keyPolicy(template: Template): KeyStatement[] {
  const { Key961B73FD: key } = template.findResources('AWS::KMS::Key');
  return key?.['Properties'].KeyPolicy.Statement.slice(1);
}

/** A statement of a key's policy. */
export interface KeyStatement extends Omit<Statement, 'Condition'> {
  readonly Principal?: { readonly Service?: unknown };
  readonly Condition?: { readonly ArnLike?: Readonly<Record<string, unknown>> };
}
