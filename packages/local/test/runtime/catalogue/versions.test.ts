import {
  createStateMachineAlias,
  deleteStateMachineAlias,
  describeStateMachineAlias,
  listStateMachineAliases,
  updateStateMachineAlias,
} from '../../../runtime/catalogue/aliases';
import type { Catalogue } from '../../../runtime/catalogue/catalogue';
import type { RoutingConfiguration } from '../../../runtime/catalogue/catalogue-item';
import { updateStateMachine } from '../../../runtime/catalogue/update-machine';
import {
  deleteStateMachineVersion,
  listStateMachineVersions,
  publishStateMachineVersion,
} from '../../../runtime/catalogue/versions';
import { Runtime } from '../../../runtime/runtime';
import { ARN, definition, outcome, withMachine } from './catalogue';

const NOT_FOUND = 'ResourceNotFound: Request references a resource that does not exist.';

/** Machine `m` with versions 1 and 2. */
function withVersions() {
  const catalogue = withMachine();
  publishStateMachineVersion(catalogue, { stateMachineArn: ARN });
  updateStateMachine(catalogue, { stateMachineArn: ARN, definition: definition(1), publish: true });
  return catalogue;
}

function numbers(catalogue: Catalogue): string[] {
  return listStateMachineVersions(catalogue, ARN).map(version =>
    version.stateMachineVersionArn.replace(`${ARN}:`, ''),
  );
}

function route(...parts: readonly (readonly [version: string, weight: number])[]): RoutingConfiguration {
  return parts.map(([version, weight]) => ({ stateMachineVersionArn: `${ARN}:${version}`, weight }));
}

describe('versions', () => {
  test('a revision published twice: one version; numbers of deleted ones do not come back', () => {
    const catalogue = withVersions();

    expect(publishStateMachineVersion(catalogue, { stateMachineArn: ARN }).stateMachineVersionArn).toBe(
      `${ARN}:2`,
    );
    deleteStateMachineVersion(catalogue, `${ARN}:2`);
    deleteStateMachineVersion(catalogue, `${ARN}:2`);
    publishStateMachineVersion(catalogue, { stateMachineArn: ARN });

    expect(numbers(catalogue)).toEqual(['3', '1']);
  });

  test('the ARN of a version: its revision, whatever has become of the machine', () => {
    const { machines } = withVersions();

    expect(machines.resolve(`${ARN}:1`, Math.random)).toMatchObject({
      machine: { definitionText: definition() },
      versionArn: `${ARN}:1`,
    });
    expect(machines.resolve(ARN, Math.random)).toMatchObject({ machine: { definitionText: definition(1) } });
    expect(outcome(() => machines.resolve(`${ARN}:3`, Math.random))).toBe(
      `StateMachineDoesNotExist: State Machine Does Not Exist: '${ARN}:3'`,
    );
  });

  test('a revision id that is not the current one: rejected; the current one: published', () => {
    const catalogue = withMachine();
    const publish = (revisionId: string) =>
      publishStateMachineVersion(catalogue, { stateMachineArn: ARN, revisionId });

    expect(outcome(() => publish('other'))).toBe(
      'ConflictException: Failed to publish the State Machine version for revision other. ' +
        'The current State Machine revision is INITIAL.',
    );
    expect(publish('INITIAL').stateMachineVersionArn).toBe(`${ARN}:1`);
  });
});

describe('aliases', () => {
  const ALIAS = { name: 'live', routingConfiguration: route(['1', 100]) };

  test('created, described, changed, listed, deleted', () => {
    const catalogue = withVersions();
    const arn = `${ARN}:live`;

    expect(createStateMachineAlias(catalogue, ALIAS).stateMachineAliasArn).toBe(arn);
    expect(createStateMachineAlias(catalogue, ALIAS).stateMachineAliasArn).toBe(arn);
    updateStateMachineAlias(catalogue, {
      stateMachineAliasArn: arn,
      routingConfiguration: route(['2', 100]),
    });
    expect(describeStateMachineAlias(catalogue, arn)).toMatchObject({
      stateMachineAliasArn: arn,
      name: 'live',
      routingConfiguration: route(['2', 100]),
    });
    expect(listStateMachineAliases(catalogue, ARN)).toHaveLength(1);
    expect(listStateMachineAliases(catalogue, `${ARN}:1`)).toHaveLength(0);
    expect(listStateMachineAliases(catalogue, `${ARN}:2`)).toHaveLength(1);
    deleteStateMachineAlias(catalogue, arn);
    deleteStateMachineAlias(catalogue, arn);
    expect(listStateMachineAliases(catalogue, ARN)).toHaveLength(0);
    expect(outcome(() => describeStateMachineAlias(catalogue, arn))).toBe(NOT_FOUND);
  });

  test.each<[string, RoutingConfiguration, string]>([
    [
      'the machine itself',
      [{ stateMachineVersionArn: ARN, weight: 100 }],
      `ValidationException: Routing configuration must contain state machine version ARNs. Received: [${ARN}]`,
    ],
    [
      'one version twice',
      route(['1', 50], ['1', 50]),
      'ValidationException: Routing configuration must contain distinct',
    ],
    [
      'weights of 99',
      route(['1', 50], ['2', 49]),
      'ValidationException: Sum of routing configuration weights must equal 100. Received: [50, 49]',
    ],
    ['a version that is not there', route(['7', 100]), NOT_FOUND],
    [
      'another text for the same name',
      route(['2', 100]),
      'ConflictException: Failed to create alias because an alias with the same name and a different routing ' +
        'configuration already exists.',
    ],
  ])('%s: rejected', (_case, routingConfiguration, message) => {
    const catalogue = withVersions();
    createStateMachineAlias(catalogue, ALIAS);

    const rejection = outcome(() =>
      createStateMachineAlias(catalogue, { name: 'live', routingConfiguration }),
    );

    expect(rejection).toEqual(expect.stringContaining(message));
  });

  test('a version that an alias refers to: cannot be deleted', () => {
    const catalogue = withVersions();
    createStateMachineAlias(catalogue, ALIAS);

    expect(outcome(() => deleteStateMachineVersion(catalogue, `${ARN}:1`))).toBe(
      'ConflictException: Version to be deleted must not be referenced by an alias. ' +
        'Current list of aliases referencing this version: [live]',
    );
    expect(numbers(catalogue)).toEqual(['2', '1']);
  });

  test.each([
    [[10, 90], 0.0999, '1'],
    [[10, 90], 0.1, '2'],
    [[100, 0], 0.9999, '1'],
    [[0, 100], 0, '2'],
  ])('weights %j, drawn %d: version %s', ([first = 0, second = 0], drawn, version) => {
    const catalogue = withVersions();
    createStateMachineAlias(catalogue, {
      name: 'live',
      routingConfiguration: route(['1', first], ['2', second]),
    });

    expect(catalogue.machines.resolve(`${ARN}:live`, () => drawn)).toMatchObject({
      versionArn: `${ARN}:${version}`,
      aliasArn: `${ARN}:live`,
    });
  });

  test('an execution through an alias: its history begins with the version and the alias', async () => {
    const catalogue = withVersions();
    createStateMachineAlias(catalogue, ALIAS);
    const { machines, clock } = catalogue;
    const runtime = new Runtime({ clock, services: new Map(), machines });
    const started = async (stateMachineArn: string) => {
      const { executionArn } = await runtime.startExecution({ stateMachineArn });
      await runtime.work.idle();
      const { events } = await runtime.getExecutionHistory({ executionArn });
      return events[0]?.executionStartedEventDetails;
    };

    expect(await started(`${ARN}:live`)).toMatchObject({
      stateMachineVersionArn: `${ARN}:1`,
      stateMachineAliasArn: `${ARN}:live`,
    });
    const byVersion = await started(`${ARN}:2`);
    expect(byVersion).toMatchObject({ stateMachineVersionArn: `${ARN}:2` });
    expect(byVersion).not.toHaveProperty('stateMachineAliasArn');
    expect(await started(ARN)).not.toHaveProperty('stateMachineVersionArn');
  });

  test.each([`${ARN}:live:junk`, `${ARN}:1:2`, `${ARN}:live:`])('%s: no ARN of a machine', arn => {
    const catalogue = withVersions();
    createStateMachineAlias(catalogue, ALIAS);

    expect(outcome(() => catalogue.machines.resolve(arn, Math.random))).toBe(
      `InvalidArn: Invalid Arn: 'ARN has too many parts: ${arn}'`,
    );
  });

  test('one version: nothing is drawn', () => {
    const catalogue = withVersions();
    createStateMachineAlias(catalogue, ALIAS);
    const draw = () => {
      throw new Error('drawn');
    };

    expect(catalogue.machines.resolve(`${ARN}:live`, draw)).toMatchObject({ versionArn: `${ARN}:1` });
  });
});
