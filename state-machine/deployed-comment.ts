import { Token } from 'aws-cdk-lib';
import { commentWith, type DeployedSettings, type DeployedWorkflow } from './contract/deployed-settings';
import type { KeyExpressions } from './expression/key-expressions';
import type { OnInProgress } from './options/on-in-progress';
import type { Settings } from './settings';

/** The `Comment` of a definition, in which numbers that are known only at deployment are resolved, too. */
export function deployedComment(words: string, settings: DeployedSettings): string {
  const entries = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'number' && Token.isUnresolved(value) ? Token.asString(value) : value,
  ]);
  const comment = commentWith(words, Object.fromEntries(entries));
  return comment.replace(/Seconds":"(\$\{Token\[[^\]]*\]\})"/g, 'Seconds":$1');
}

/** What travels of the settings of a workflow or fragment: out of the values that its expressions are made of. */
export function deployedWorkflow(
  { variant, scope, key, payload, retention, failedRetention }: Settings,
  onInProgress: OnInProgress,
): DeployedWorkflow {
  const { returnedErrors, formerStateMachines } = variant;
  return {
    machine: variant.isFragment ? 'fragment' : 'workflow',
    scope,
    key: deployedKey(key),
    ...(key.reason !== undefined && { uncheckedKey: key.reason }),
    ...(payload !== undefined && { payload }),
    retentionSeconds: retention.toSeconds(),
    ...(failedRetention !== retention && { failedRetentionSeconds: failedRetention.toSeconds() }),
    ...(onInProgress.total && { waitSeconds: onInProgress.total.toSeconds() }),
    ...(returnedErrors && { returnedErrors }),
    ...(variant.isFragment && { maxRedrives: variant.maxRedrives }),
    ...(formerStateMachines.length > 0 && { formerStateMachines }),
  };
}

function deployedKey({ kind, parts }: KeyExpressions): DeployedWorkflow['key'] {
  const expressions = parts.map(({ jsonata }) => jsonata);
  const [only = ''] = expressions;
  if (kind === 'composite') return expressions;
  return kind === 'payload' ? { payload: only } : only;
}
