import type { MachineIdentity } from '../../runtime/catalogue/machine-registry';
import { taskOf, textOf, WAIT, worldOf } from './world';

const text = textOf({ W: WAIT });
const rejection = (definition: string, identity: MachineIdentity) => {
  try {
    worldOf().runtime.register(definition, identity);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'no error';
  }
};

describe('register', () => {
  test('by name: an ARN in the environment of the runtime', () => {
    const { runtime } = worldOf({ environment: { region: 'eu-west-1', account: '111111111111' } });

    const machine = runtime.register(text, { name: 'm', roleArn: 'arn:aws:iam::1:role/r' });

    expect(machine).toMatchObject({
      arn: 'arn:aws:states:eu-west-1:111111111111:stateMachine:m',
      name: 'm',
      roleArn: 'arn:aws:iam::1:role/r',
    });
    expect(runtime.machines.get(machine.arn)).toBe(machine);
    expect(runtime.machines.list()).toEqual([machine]);
  });

  test('by ARN: that ARN', () => {
    const arn = 'arn:aws-cn:states:cn-north-1:2:stateMachine:other';

    expect(worldOf().runtime.register(text, { arn })).toMatchObject({ arn, name: 'other' });
  });

  test('the same text again: the same machine; another text: rejected', () => {
    const { runtime } = worldOf();
    const machine = runtime.register(text, { name: 'm' });

    expect(runtime.register(text, { name: 'm' })).toBe(machine);
    expect(() => runtime.register(` ${text}`, { name: 'm' })).toThrow(
      `State Machine Already Exists: '${machine.arn}'`,
    );
  });

  test.each([
    [
      'a resource without a service',
      textOf({ T: taskOf('dynamodb:query') }),
      { name: 'm' },
      "InvalidDefinition: Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: " +
        'The resource provided ' +
        'arn:aws:states:::dynamodb:query is not recognized. The value is not a valid ' +
        'resource ARN, or the resource is ' +
        "not available in this region. at /States/T/Resource'",
    ],
    [
      'an invalid definition',
      textOf({ W: { ...WAIT, Foo: 1 } }),
      { name: 'm' },
      "InvalidDefinition: Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: " +
        "Field 'Foo' is not supported at /States/W'",
    ],
    ['a name with a blank', text, { name: 'a b' }, "InvalidName: Invalid Name: 'a b'"],
    ['no ARN', text, { arn: 'nope' }, "InvalidArn: Invalid Arn: 'Invalid ARN prefix: nope'"],
  ])('%s: rejected', (_case, definition, identity, message) => {
    expect(rejection(definition, identity)).toBe(message);
  });
});
