import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import type { FunctionSpec } from './function-spec';

type Variables = Record<string, string>;

/**
 * What a child process or a temporary file cannot do without; nothing else of the host's environment gets in.
 */
const FROM_HOST = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP'] as const;

/**
 * The environment variables that a function sees.
 *
 * Later ones win: what Lambda sets, then the function's own, then `extra` (the endpoints of the local
 * services). The credentials are dummies, and the SDK finds no profile on this machine, so that a function
 * that is run here can never reach a real account with the developer's rights.
 */
export function environmentVariables(spec: FunctionSpec, extra: Readonly<Variables>): Variables {
  return { ...hostVariables(), ...lambdaVariables(spec), ...spec.environment, ...extra };
}

/** What a process gets of this one's environment. */
export function hostVariables(): Variables {
  const variables: Variables = {};
  for (const name of FROM_HOST) {
    const value = process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

function lambdaVariables(spec: FunctionSpec): Variables {
  const region = spec.arn.split(':')[3] ?? 'us-east-1';
  return {
    _HANDLER: spec.handler,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_DEFAULT_REGION: region,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_EXECUTION_ENV: `AWS_Lambda_${spec.runtime ?? `nodejs${process.versions.node.split('.')[0]}.x`}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: spec.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${spec.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local/[$LATEST]',
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    LAMBDA_TASK_ROOT: spec.directory,
    LANG: 'en_US.UTF-8',
    NODE_PATH: sdkDirectories(),
    TZ: ':UTC',
  };
}

/** The clients of the SDK that come with this package, as the Lambda runtime comes with all of them. */
const SDK_CLIENTS = ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sfn', '@aws-sdk/client-sqs'];

/**
 * Lambda's Node.js runtime brings the AWS SDK along, and bundles leave it out for that reason. A bundle that
 * lies in its project finds the project's. One that lies elsewhere finds what the folder that this process was
 * started in finds, and at last ours.
 */
function sdkDirectories(): string {
  const project = createRequire(join(process.cwd(), 'index.js')).resolve.paths('@aws-sdk') ?? [];
  return [...new Set([...project, ...SDK_CLIENTS.map(directoryOf)])].join(delimiter);
}

function directoryOf(client: string): string {
  const entry = require.resolve(client);
  const modules = `${sep}node_modules${sep}`;
  return entry.slice(0, entry.lastIndexOf(`${modules}@aws-sdk`) + modules.length - 1);
}
