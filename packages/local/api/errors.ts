/** Rejections that come from the protocol rather than from a service's operation. */
export type RequestErrorName =
  | 'AccessDeniedException'
  | 'InternalFailure'
  | 'InvalidRequestContentException'
  | 'RequestEntityTooLargeException'
  | 'SerializationException'
  | 'UnknownOperationException'
  | 'UnsupportedMediaTypeException'
  | 'UnsupportedOperationException';

/** A request that is rejected before it reaches a service. */
export class RequestError extends Error {
  override readonly name: RequestErrorName;

  constructor(name: RequestErrorName, message: string) {
    super(message);
    this.name = name;
  }
}

export interface WireError {
  readonly status: number;
  /** With its namespace where the service writes one. */
  readonly type: string;
  readonly message: string;
}

interface Row {
  readonly status: number;
  readonly namespace: string;
}

const STATES = 'com.amazonaws.swf.service.v2.model#';
const VALIDATION = 'com.amazon.coral.validate#';
const PROTOCOL = 'com.amazon.coral.service#';

/** If an error name is not that of an operation of Step Functions: those are all 400 in its own namespace. */
const ROWS = new Map<string, Row>([
  ['ValidationException', { status: 400, namespace: VALIDATION }],
  ['SerializationException', { status: 400, namespace: PROTOCOL }],
  ['UnknownOperationException', { status: 400, namespace: PROTOCOL }],
  ['UnsupportedOperationException', { status: 400, namespace: PROTOCOL }],
  ['AccessDeniedException', { status: 403, namespace: PROTOCOL }],
  ['UnsupportedMediaTypeException', { status: 415, namespace: PROTOCOL }],
  ['RequestEntityTooLargeException', { status: 413, namespace: PROTOCOL }],
  ['InternalFailure', { status: 500, namespace: PROTOCOL }],
]);

/** The wire form of an error's name and message. */
export function wireErrorOf(name: string, message: string): WireError {
  const { status, namespace } = ROWS.get(name) ?? { status: 400, namespace: STATES };
  return { status, type: `${namespace}${name}`, message };
}
