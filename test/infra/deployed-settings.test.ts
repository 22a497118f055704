import { Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import fc from 'fast-check';
import { exampleOf } from '../../cli/app/example';
import { claimsIn, settingsOfMachine } from '../../cli/definition/claims';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Key,
  OnFailed,
  OnInProgress,
  Recovery,
  Source,
} from '../../infra/index';
import type { DeployedWorkflow } from '../../state-machine/contract/deployed-settings';
import { goldenDefinitions } from '../support/golden';
import { renamed } from '../support/rename-variables';
import { type Definitions, disagreements } from '../support/settings-agree';
import { definitionIn, someFunction, synthesized } from '../support/synthesize';
import { withSettings } from '../support/with-settings';

function rendered(props: Partial<IdempotentWorkflowProps>): Definitions {
  const template = synthesized(stack => {
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.detail.id %}',
      recovery: Recovery.automatic(),
      ...props,
      step: someFunction(stack),
    });
    const bus = EventBus.fromEventBusName(stack, 'Bus', 'orders');
    workflow.startFrom(Source.eventBridge(bus, { source: ['shop'] }));
  });
  const text = (id: RegExp) => JSON.stringify(definitionIn(template, id));
  return {
    workflow: text(/^PayStateMachine/),
    dispatcher: text(/Dispatcher/),
    recovery: text(/^PayRecoveryStateMachine/),
  };
}

const INPUTS = [
  { detail: { id: 'order-7', shop: 'a,b', amount: 5 } },
  { detail: { id: 4711, shop: 'shop~1', amount: 12.5 } },
  { detail: { id: 'x'.repeat(500), shop: 'ä', amount: 0 } },
];

const ALL: Partial<IdempotentWorkflowProps> = {
  scope: 'O\'Neil "Pay"',
  idempotencyKey: ['{% $states.input.detail.shop %}', '{% $states.input.detail.id %}'],
  payload: "{% $states.input.detail.{'amount': amount} %}",
  retention: Duration.days(30),
  failedRetention: Duration.hours(2),
  onDuplicateInProgress: OnInProgress.wait(Duration.seconds(90)),
  onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined', "It's over"] }),
  formerStateMachines: ['Pay-Old'],
  executionNames: 'hash',
  maxRedrives: 2,
};

describe('settings in a definition', () => {
  test.each([
    ['defaults', {}],
    ['all of them', ALL],
    ['a key that is a hash', { idempotencyKey: Key.ofPayload('{% $states.input.detail %}') }],
  ])('%s: the expressions agree with them', async (_case, props) => {
    expect(await disagreements(rendered(props), INPUTS)).toEqual([]);
  });

  test('a workflow with every setting has at most 600 bytes of them', () => {
    const { Comment } = JSON.parse(rendered(ALL).workflow) as { readonly Comment: string };

    expect(Buffer.byteLength(Comment.split('\n').at(-1) ?? '')).toBeLessThanOrEqual(600);
  });

  test('each machine that onceflow renders says what it is', () => {
    const machines = goldenDefinitions().map(([name, definition]) => {
      const text = JSON.stringify(definition);
      const [claim] = claimsIn(text);
      const read = claim?.prefix ? claim.settings : settingsOfMachine(text);
      return [name, read.kind === 'settings' ? read.settings.machine : read.kind];
    });

    expect(machines.filter(([, machine]) => machine === 'absent' || machine === 'unreadable')).toEqual([]);
    expect(new Set(machines.map(([, machine]) => machine))).toEqual(
      new Set(['workflow', 'fragment', 'dispatcher', 'frontDoor', 'recovery', 'search', 'redelivery']),
    );
  });
});

describe('a definition whose settings and expressions differ is found out', () => {
  const OTHER: Readonly<Required<Omit<DeployedWorkflow, 'machine' | 'maxRedrives' | 'uncheckedKey'>>> = {
    scope: 'Pay',
    key: ['$states.input.detail.id', '$states.input.detail.shop'],
    payload: "$states.input.detail.{'amount': amount + 1}",
    retentionSeconds: 60,
    failedRetentionSeconds: 60,
    waitSeconds: 60,
    returnedErrors: ['CardDeclined', 'Other'],
    formerStateMachines: ['Pay-Old', 'Pay-Older'],
    executionNames: 'readable',
  };
  const OTHER_PROPS: Readonly<Record<keyof typeof OTHER, Partial<IdempotentWorkflowProps>>> = {
    scope: { scope: 'Pay' },
    key: { idempotencyKey: ['{% $states.input.detail.id %}', '{% $states.input.detail.shop %}'] },
    payload: { payload: "{% $states.input.detail.{'amount': amount + 1} %}" },
    retentionSeconds: { retention: Duration.seconds(172_800) },
    failedRetentionSeconds: { failedRetention: Duration.hours(3) },
    waitSeconds: { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(60)) },
    returnedErrors: { onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined'] }) },
    formerStateMachines: { formerStateMachines: ['Pay-Older'] },
    executionNames: { executionNames: 'readable' },
  };
  const all = rendered(ALL);
  const NAMES = Object.keys(OTHER) as (keyof typeof OTHER)[];

  test.each(NAMES)('%s: only the settings say something else', async name => {
    const workflow = withSettings(all.workflow, { [name]: OTHER[name] });

    expect(await disagreements({ ...all, workflow }, INPUTS)).toContain(name);
  });

  test.each(NAMES)('%s: only the expressions say something else', async name => {
    const other = rendered({ ...ALL, ...OTHER_PROPS[name] });
    const settings = JSON.parse(all.workflow) as { readonly Comment: string };
    const workflow = JSON.stringify({ ...JSON.parse(other.workflow), Comment: settings.Comment });

    expect(await disagreements({ ...other, workflow }, INPUTS)).toContain(name);
  });

  test('maxRedrives: one of both says something else', async () => {
    const other = rendered({ ...ALL, maxRedrives: 4 });
    const comments = [all, other].map(({ recovery }) => JSON.parse(recovery).Comment as string);
    const swapped = (recovery: string, Comment?: string) =>
      JSON.stringify({ ...JSON.parse(recovery), Comment });

    expect(await disagreements({ ...all, recovery: swapped(all.recovery, comments[1]) }, INPUTS)).toEqual([
      'maxRedrives',
    ]);
    expect(await disagreements({ ...all, recovery: swapped(other.recovery, comments[0]) }, INPUTS)).toEqual([
      'maxRedrives',
    ]);
  });
});

describe('an expression with other names of variables and another order of sums and conditions', () => {
  const all = rendered(ALL);
  const read = (definition: string) => ({
    claims: claimsIn(definition).map(({ keyExpression: _, states: __, ...claim }) => claim),
    settings: settingsOfMachine(definition),
    example: exampleOf(
      [{ arn: 'a', name: 'Pay', type: 'STANDARD', definitionText: definition, logicalId: 'Pay', stack: 'S' }],
      [],
    ),
  });

  test.each(goldenDefinitions().map(([name, definition]) => [name, JSON.stringify(definition)] as const))(
    '%s: is read as before',
    (_name, definition) => {
      fc.assert(
        fc.property(fc.integer(), seed => {
          const changed = renamed(definition, seed);
          expect(read(changed)).toEqual(read(definition));
        }),
        { numRuns: 5 },
      );
    },
  );

  test('it gives the same values', async () => {
    for (const seed of [1, 2, 3]) {
      const [workflow, dispatcher, recovery] = [all.workflow, all.dispatcher, all.recovery].map(text =>
        renamed(text, seed),
      ) as [string, string, string];

      expect(workflow).not.toBe(all.workflow);
      expect(await disagreements({ workflow, dispatcher, recovery }, INPUTS)).toEqual([]);
    }
  });
});
