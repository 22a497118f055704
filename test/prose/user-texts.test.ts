import type { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { COMMANDS, HELP } from '../../cli/commands/registry';
import { FailureDestination, IdempotentWorkflow, Monitoring, Recovery, Source } from '../../infra/index';
import { HELP as BENCH } from '../../proof/bench/options';
import { HELP as CHANGES } from '../../proof/changes/options';
import { HELP as CONFORMANCE } from '../../proof/conformance/options';
import { HELP as DEMO } from '../../proof/demo/options';
import { HELP as EXPLORE } from '../../proof/explore/options';
import { HELP as FRONT_DOOR } from '../../proof/front-door/options';
import { HELP as FUZZ } from '../../proof/fuzz/options';
import { HELP as LEAGUE } from '../../proof/league/options';
import { HELP as SPECIFICATION } from '../../proof/specification/options';
import { PROBLEM, REJECTED } from '../../state-machine/front-door/problems';
import { newStack, someFunction } from '../support/synthesize';
import { sentencesOfHelp } from './help-text';
import { breaches } from './rules';

const breachesIn = (sentences: readonly string[]) =>
  sentences.flatMap(sentence => breaches(sentence).map(breach => ({ sentence, breach })));

describe('the style guide holds', () => {
  const ofCommands = COMMANDS.map(({ name, help }) => [`onceflow ${name}`, help] as const);
  const ofPrograms = { BENCH, CHANGES, CONFORMANCE, DEMO, EXPLORE, FRONT_DOOR, FUZZ, LEAGUE, SPECIFICATION };
  test.each([['onceflow', HELP] as const, ...ofCommands, ...Object.entries(ofPrograms)])(
    'in the help of %s',
    (_, help) => {
      expect(breachesIn(sentencesOfHelp(help))).toEqual([]);
    },
  );

  test('in the titles of the problems that callers by HTTP get', () => {
    const titles = [...Object.values(PROBLEM), REJECTED].map(({ title }) => title);

    expect(breachesIn(titles)).toEqual([]);
  });

  test.each([
    ['with recovery', Recovery.automatic()],
    ['without recovery', Recovery.none()],
  ])('in the descriptions of the alarms of a workflow %s', (_, recovery) => {
    expect(breachesIn(alarmsOf(recovery))).toEqual([]);
  });
});

function alarmsOf(recovery: Recovery): readonly string[] {
  const stack = newStack();
  const workflow = new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: someFunction(stack),
    metrics: true,
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
    recovery,
  });
  workflow.startFrom(Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] }));
  return new Monitoring(stack, 'Monitoring', { workflow }).alarms.map(
    ({ node }) => (node.defaultChild as CfnAlarm).alarmDescription ?? '',
  );
}
