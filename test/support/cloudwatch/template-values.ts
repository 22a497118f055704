import type { LocalStack } from '@onceflow/local';

/** What the resources of a local stack are called: the values of a template's references. */
export class TemplateValues {
  readonly #refs = new Map<string, string>();
  readonly #attributes = new Map<string, string>();

  constructor({ assembly, region, account }: LocalStack) {
    for (const { logicalId, arn, name } of assembly.stateMachines) {
      this.#refs.set(logicalId, arn);
      this.#attributes.set(`${logicalId}.Name`, name).set(`${logicalId}.Arn`, arn);
    }
    for (const { logicalId, arn } of assembly.rules) this.#attributes.set(`${logicalId}.Arn`, arn);
    for (const { logicalId, name } of assembly.eventBuses) this.#refs.set(logicalId, name);
    for (const { logicalId, name } of assembly.queues) this.#attributes.set(`${logicalId}.QueueName`, name);
    for (const { logicalId, name } of assembly.functions) this.#refs.set(logicalId, name);
    for (const { logicalId, name } of assembly.tables) this.#refs.set(logicalId, name);
    for (const { logicalId, names } of assembly.resources.inert) {
      if (names[0] !== undefined) this.#refs.set(logicalId, names[0]);
    }
    this.#refs.set('AWS::Region', region).set('AWS::AccountId', account).set('AWS::Partition', 'aws');
  }

  /** A value of the template, its references and joins resolved. @throws Error for what the stack does not have */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(item => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    const [[name, content] = ['', undefined]] = Object.entries(value);
    if (name === 'Ref') return this.#known(this.#refs, String(content));
    if (name === 'Fn::GetAtt') return this.#known(this.#attributes, (content as string[]).join('.'));
    if (name === 'Fn::Join') {
      const [delimiter, parts] = content as [string, unknown[]];
      return parts.map(part => String(this.resolve(part))).join(delimiter);
    }
    if (name === 'Fn::Split') {
      const [delimiter, text] = content as [string, unknown];
      return String(this.resolve(text)).split(delimiter);
    }
    if (name === 'Fn::Select') {
      const [index, list] = content as [string, unknown];
      return (this.resolve(list) as readonly unknown[])[Number(index)];
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.resolve(inner)]));
  }

  #known(values: ReadonlyMap<string, string>, name: string): string {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the template refers to ${name}, which the stack does not have`);
    return value;
  }
}
