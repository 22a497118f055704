import { type CreateMachineRequest, createStateMachine } from '../../../runtime/catalogue/create-machine';
import { deleteStateMachine } from '../../../runtime/catalogue/delete-machine';
import { deployMachine } from '../../../runtime/catalogue/deploy-machine';
import { describeStateMachine } from '../../../runtime/catalogue/describe-machine';
import { updateStateMachine } from '../../../runtime/catalogue/update-machine';
import { ARN, definition, emptyCatalogue, NOW, outcome, ROLE, withMachine } from './catalogue';

const REQUEST: CreateMachineRequest = { name: 'm', definition: definition(), roleArn: ROLE };
const EXISTS = `StateMachineAlreadyExists: State Machine Already Exists: '${ARN}'`;
const ONE_DESTINATION =
  'InvalidLoggingConfiguration: Invalid Logging Configuration: Must specify exactly one Log Destination.';
const destination = {
  cloudWatchLogsLogGroup: { logGroupArn: 'arn:aws:logs:us-east-1:111111111111:log-group:g:*' },
};

test('logging to a log group: one that there is; where it is not said which there are, any', () => {
  const logging = { loggingConfiguration: { level: 'ALL', destinations: [destination] } } as const;
  const { logGroupArn } = destination.cloudWatchLogsLogGroup;
  const created = (logGroups?: ReadonlySet<string>) => {
    const catalogue = { ...emptyCatalogue(), ...(logGroups && { logGroups }) };
    return outcome(() => createStateMachine(catalogue, { ...REQUEST, ...logging }));
  };
  const NOT_FOUND = 'InvalidLoggingConfiguration: Invalid Logging Configuration: Log Destination not found.';

  expect(created()).toMatchObject({ stateMachineArn: ARN });
  expect(created(new Set([logGroupArn]))).toMatchObject({ stateMachineArn: ARN });
  expect(created(new Set(['arn:aws:logs:us-east-1:111111111111:log-group:other:*']))).toBe(NOT_FOUND);
  const before = { ...withMachine(), logGroups: new Set<string>() };
  expect(outcome(() => updateStateMachine(before, { stateMachineArn: ARN, ...logging }))).toBe(NOT_FOUND);
});

describe('CreateStateMachine', () => {
  const SAME = { stateMachineArn: ARN, creationDate: NOW };

  test.each<[string, Partial<CreateMachineRequest>, unknown]>([
    ['the same', {}, SAME],
    ['another role', { roleArn: 'arn:aws:iam::111111111111:role/other' }, SAME],
    ['other tags', { tags: [{ key: 'k', value: 'v' }] }, SAME],
    ['the defaults written out', { type: 'STANDARD', loggingConfiguration: { level: 'OFF' } }, SAME],
    ['another white space in the definition', { definition: ` ${definition()}` }, EXISTS],
    ['another type', { type: 'EXPRESS' }, EXISTS],
    ['other logging', { loggingConfiguration: { level: 'ALL', destinations: [destination] } }, EXISTS],
    ['other tracing', { tracingConfiguration: { enabled: true } }, EXISTS],
    ['to be published', { publish: true }, EXISTS],
  ])('again with %s', (_case, more, expected) => {
    const catalogue = withMachine();
    catalogue.clock.advanceTo(NOW + 1000);

    expect(outcome(() => createStateMachine(catalogue, { ...REQUEST, ...more }))).toEqual(expected);
  });

  test.each<[string, Partial<CreateMachineRequest>, string]>([
    ['a name with a blank', { name: 'a b' }, "InvalidName: Invalid Name: 'a b'"],
    ['no role ARN', { roleArn: 'r' }, "InvalidArn: Invalid Role Arn: 'r'"],
    [
      'a description without a version',
      { versionDescription: 'first' },
      'ValidationException: Version description can only be set when publish is true',
    ],
    ['logging to nowhere', { loggingConfiguration: { level: 'ERROR' } }, ONE_DESTINATION],
    [
      'logging to two places',
      { loggingConfiguration: { level: 'ALL', destinations: [{}, {}] } },
      ONE_DESTINATION,
    ],
    [
      '51 tags',
      { tags: Array.from({ length: 51 }, (_, n) => ({ key: `k${n}`, value: '' })) },
      'TooManyTags: Too many tags: a resource can have at most 50.',
    ],
    [
      'a definition that is none',
      { definition: '{}' },
      "InvalidDefinition: Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: " +
        "These fields are required: [States, StartAt] at /'",
    ],
  ])('%s: rejected, and nothing is there afterwards', (_case, more, message) => {
    const catalogue = emptyCatalogue();

    expect(outcome(() => createStateMachine(catalogue, { ...REQUEST, ...more }))).toBe(message);
    expect(catalogue.machines.list()).toEqual([]);
    expect(catalogue.changes()).toBe(0);
  });

  test('published: version 1, and the same request again answers it', () => {
    const catalogue = emptyCatalogue();
    const request = { ...REQUEST, publish: true, versionDescription: 'first' };

    const created = createStateMachine(catalogue, request);

    expect(created).toEqual({ stateMachineArn: ARN, creationDate: NOW, stateMachineVersionArn: `${ARN}:1` });
    expect(createStateMachine(catalogue, request)).toEqual(created);
    expect(describeStateMachine(catalogue, `${ARN}:1`)).toMatchObject({
      stateMachineArn: `${ARN}:1`,
      description: 'first',
    });
    expect(describeStateMachine(catalogue, ARN)).not.toHaveProperty('description');
  });
});

describe('UpdateStateMachine', () => {
  test('another definition: another revision, dates of the machine stay', () => {
    const catalogue = withMachine();
    catalogue.clock.advanceTo(NOW + 5);

    const { revisionId, updateDate } = updateStateMachine(catalogue, {
      stateMachineArn: ARN,
      definition: definition(1),
    });

    expect(updateDate).toBe(NOW + 5);
    expect(describeStateMachine(catalogue, ARN)).toMatchObject({
      creationDate: NOW,
      revisionId,
      definition: definition(1),
      roleArn: ROLE,
    });
  });

  test('nothing that changes anything: no revision', () => {
    const catalogue = withMachine();
    const request = { stateMachineArn: ARN, definition: definition(), roleArn: ROLE };

    expect(updateStateMachine(catalogue, request)).toEqual({ updateDate: NOW });
  });

  test.each([
    ['another role', { roleArn: 'arn:aws:iam::111111111111:role/other' }],
    ['other logging', { loggingConfiguration: { level: 'ALL', destinations: [destination] } as const }],
    ['tracing', { tracingConfiguration: { enabled: true } }],
  ])('%s: a revision, and the rest stays', (_case, change) => {
    const catalogue = withMachine();

    const { revisionId } = updateStateMachine(catalogue, { stateMachineArn: ARN, ...change });

    expect(revisionId).toEqual(expect.any(String));
    expect(describeStateMachine(catalogue, ARN)).toMatchObject({ definition: definition(), revisionId });
  });

  test.each<[string, object, string]>([
    [
      'nothing to update',
      {},
      'MissingRequiredParameter: Either the definition, the role ARN, the LoggingConfiguration, or the ' +
        'TracingConfiguration must be specified',
    ],
    ['an invalid definition', { definition: '{}' }, 'InvalidDefinition: '],
    [
      'a version',
      { stateMachineArn: `${ARN}:1`, definition: definition() },
      `StateMachineDoesNotExist: State Machine Does Not Exist: '${ARN}:1'`,
    ],
  ])('%s: rejected, and the machine stays', (_case, request, message) => {
    const catalogue = withMachine();
    const before = describeStateMachine(catalogue, ARN);

    const rejection = outcome(() => updateStateMachine(catalogue, { stateMachineArn: ARN, ...request }));

    expect(rejection).toEqual(expect.stringContaining(message));
    expect(describeStateMachine(catalogue, ARN)).toEqual(before);
  });
});

describe('DeleteStateMachine', () => {
  test('the machine and its name: gone; again: fine', () => {
    const catalogue = withMachine();

    deleteStateMachine(catalogue, ARN);
    deleteStateMachine(catalogue, ARN);

    expect(outcome(() => describeStateMachine(catalogue, ARN))).toMatch(/^StateMachineDoesNotExist/);
    expect(createStateMachine(catalogue, { ...REQUEST, definition: definition(1) })).toMatchObject({
      stateMachineArn: ARN,
    });
  });
});

describe('a deployment', () => {
  test('of something new, of the same, of another definition: created, left alone, updated', () => {
    const catalogue = emptyCatalogue();
    const deploy = (number: number) =>
      deployMachine(catalogue, definition(number), { arn: ARN, roleArn: ROLE });

    const first = deploy(0);
    expect(deploy(0)).toBe(first);
    const second = deploy(1);

    expect(first.revisionId).toBeUndefined();
    expect(second).toMatchObject({ definitionText: definition(1), revisionId: expect.any(String) });
    expect(outcome(() => deployMachine(catalogue, definition(), { arn: ARN, type: 'EXPRESS' }))).toBe(EXISTS);
  });
});
