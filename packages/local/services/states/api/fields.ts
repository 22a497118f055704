import { DATA_BYTES_MAX } from '../../../language/index';

// The members that several operations share, with the constraints of the service's model.

export const ARN = { kind: 'text', min: 1, max: 256, required: true } as const;
/** An ARN that a request may leave out. */
export const OPTIONAL_ARN = { kind: 'text', min: 1, max: 256 } as const;
/** The name of a machine or an activity. */
export const NAME = { kind: 'text', min: 1, max: 80, required: true } as const;
/** The name of an execution. */
export const OPTIONAL_NAME = { kind: 'text', min: 1, max: 80 } as const;
/** A definition in the States Language. */
export const DEFINITION = { kind: 'text', min: 1, max: 1_048_576, isSecret: true } as const;
/** JSON text that goes in or out of an execution. */
export const DATA = { kind: 'text', maxBytes: DATA_BYTES_MAX, isSecret: true } as const;
/** The name of an error. */
export const ERROR = { kind: 'text', max: 256, isSecret: true } as const;
/** The message of an error. */
export const CAUSE = { kind: 'text', max: 32_768, isSecret: true } as const;
export const TYPE = { kind: 'text', values: ['STANDARD', 'EXPRESS'] } as const;
/** A description of a version or an alias. */
export const DESCRIPTION = { kind: 'text', max: 256, isSecret: true } as const;
/** The size of a page; 0 stands for the default. */
export const PAGE_SIZE = { kind: 'number', min: 0, max: 1000 } as const;
/** What the answer with the page before gave. */
export const PAGE_TOKEN = { kind: 'text', min: 1, max: 1024 } as const;
/** A token of a task that waits for a callback or a worker. */
export const TASK_TOKEN = { kind: 'text', min: 1, max: 2048, required: true } as const;
/** True or false. */
export const FLAG = { kind: 'flag' } as const;

/** Tags to set. */
export const TAGS = {
  kind: 'list',
  member: {
    kind: 'structure',
    members: {
      key: { kind: 'text', min: 1, max: 128, required: true },
      value: { kind: 'text', max: 256, required: true },
    },
  },
} as const;

/** Where logs go and what is logged. */
export const LOGGING = {
  kind: 'structure',
  members: {
    level: { kind: 'text', values: ['ALL', 'ERROR', 'FATAL', 'OFF'] },
    includeExecutionData: { kind: 'flag' },
    destinations: {
      kind: 'list',
      member: {
        kind: 'structure',
        members: {
          cloudWatchLogsLogGroup: {
            kind: 'structure',
            members: { logGroupArn: { kind: 'text', min: 1, max: 256 } },
          },
        },
      },
    },
  },
} as const;

/** Whether executions are traced. */
export const TRACING = { kind: 'structure', members: { enabled: { kind: 'flag' } } } as const;

/** The versions an alias stands for. */
export const ROUTING = {
  kind: 'list',
  min: 1,
  max: 2,
  member: {
    kind: 'structure',
    typeName: 'RoutingConfigurationListItem',
    members: {
      stateMachineVersionArn: { kind: 'text', min: 1, max: 256, required: true },
      weight: { kind: 'number', min: 0, max: 100, required: true },
    },
  },
} as const;

/** The name of an alias: not a number, which would be a version. */
export const ALIAS_NAME = {
  kind: 'text',
  min: 1,
  max: 80,
  pattern: '^(?=.*[a-zA-Z_\\-\\.])[a-zA-Z0-9_\\-\\.]+$',
  required: true,
} as const;

/** The statuses an execution can be listed by, in the order of the service's message. */
export const STATUS_FILTER = {
  kind: 'text',
  values: ['SUCCEEDED', 'TIMED_OUT', 'PENDING_REDRIVE', 'ABORTED', 'FAILED', 'RUNNING'],
} as const;

/** Whether an answer has the data of an execution or machine, or only its metadata. */
export const INCLUDED_DATA = { kind: 'text', values: ['ALL_DATA', 'METADATA_ONLY'] } as const;
