import { type CfnRule, Rule, type RuleProps } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { renderedProperties } from '../../state-machine/template/rendered-properties';

/**
 * EventBridge's quota of an event pattern, in characters of compact JSON. AWS raises it to at most 4,096.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html
 */
const PATTERN_LENGTH_MAX = 2048;

/** A rule of EventBridge. A pattern that is longer than EventBridge takes ends synthesis, with `remedy`. */
export class EventRule extends Rule {
  constructor(scope: Construct, id: string, props: RuleProps, remedy: string) {
    super(scope, id, props);
    this.node.addValidation({ validate: () => this.patternProblems(remedy) });
  }

  private patternProblems(remedy: string): string[] {
    const { EventPattern = {} } = renderedProperties(this.node.defaultChild as CfnRule);
    const length = shortestText(EventPattern);
    if (length <= PATTERN_LENGTH_MAX) return [];
    const [got, most] = [length, PATTERN_LENGTH_MAX].map(count => count.toLocaleString('en-US'));
    return [
      `the event pattern has at least ${got} characters as EventBridge counts them, and may have ${most}. ${remedy}`,
    ];
  }
}

/** What to do about the pattern of executions that have ended. */
export const FEWER_FORMER =
  'Pass fewer `formerStateMachines`: one whose executions have all ended for longer than 14 days has nothing to recover';

/** The shortest that values can be that only the deployment knows; any other reference is one character or more. */
const SHORTEST: Readonly<Record<string, number>> = {
  'AWS::Partition': 'aws'.length,
  'AWS::Region': 'us-east-1'.length,
  'AWS::AccountId': 12,
};

/** The length of a resolved value as compact JSON, if each reference in it is as short as it can be. */
function shortestText(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + shortestText(one) + 1, 1);
  if (typeof value !== 'object' || value === null) return [...JSON.stringify(value)].length;
  const [[name, given] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0 && name === 'Ref') return QUOTES + (SHORTEST[String(given)] ?? 1);
  if (others.length === 0 && name === 'Fn::Join') {
    const [separator, parts] = given as readonly [string, readonly unknown[]];
    const within = parts.reduce<number>((sum, part) => sum + shortestText(part) - QUOTES, 0);
    return QUOTES + within + separator.length * (parts.length - 1);
  }
  if (others.length === 0 && name.startsWith('Fn::')) return QUOTES + 1;
  return Object.entries(value).reduce(
    (sum, [member, one]) => sum + [...JSON.stringify(member)].length + shortestText(one) + 2,
    1,
  );
}

const QUOTES = 2;
