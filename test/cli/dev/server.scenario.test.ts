import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as local from '@onceflow/local';
import { Server } from '../../../cli/dev/server';
import { newDirectory } from '../../support/shared';

/** A cloud assembly with a state machine of each name, which consists of one state of a type. */
function assemblyWith(types: Readonly<Record<string, string>>): string {
  const directory = path.join(newDirectory(), 'cdk.out');
  const machines = Object.entries(types).map(([StateMachineName, Type]) => {
    const States = { Only: { Type, End: true } };
    const DefinitionString = JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'Only', States });
    const RoleArn = 'arn:aws:iam::111111111111:role/r';
    const Properties = { StateMachineName, RoleArn, DefinitionString };
    return [StateMachineName, { Type: 'AWS::StepFunctions::StateMachine', Properties }];
  });
  const artifacts = {
    S: {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/unknown-region',
      properties: { templateFile: 'S.template.json' },
    },
  };
  mkdirSync(directory);
  writeFileSync(
    path.join(directory, 'S.template.json'),
    JSON.stringify({ Resources: Object.fromEntries(machines) }),
  );
  writeFileSync(path.join(directory, 'manifest.json'), JSON.stringify({ version: '55.0.0', artifacts }));
  return directory;
}

describe('a server with a state directory', () => {
  test('a first start that is rejected: leaves none of its state machines there', async () => {
    const options = {
      port: 0,
      httpPort: undefined,
      httpPrincipal: undefined,
      parameters: {},
      functions: {},
      dynamodb: undefined,
      keep: undefined,
    };
    const state = path.join(newDirectory(), 'state');
    const server = new Server(local, {
      ...options,
      state,
      stop: [],
      log: () => undefined,
      servePage: () => Promise.resolve(undefined),
    });
    try {
      const rejected = await server.deploy(assemblyWith({ Misspelled: 'Pass', Song: 'Song' }));
      const deployed = await server.deploy(assemblyWith({ Greeter: 'Pass' }));

      expect(rejected.kind).toBe('problem');
      const machines = deployed.kind === 'running' ? deployed.stack.runtime.machines.list() : [];
      expect(machines.map(({ name }) => name)).toEqual(['Greeter']);
    } finally {
      await server.close();
    }
  });
});
