import type { ApiAnswer, ServiceRoute } from './api/exchange';
import { xmlOf } from './api/xml';

const NAMESPACE = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';
const XML = { 'content-type': 'text/xml' };

/** The stacks of an assembly, as CloudFormation describes them. */
export interface StackDescriptions {
  readonly region: string;
  readonly account: string;
  /** When they were started, in epoch milliseconds. */
  readonly startedAt: number;
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The names of all stacks, also of those without an output. */
  readonly names: readonly string[];
}

/**
 * CloudFormation, as far as `DescribeStacks` goes: a form with the `Action`, answered in XML. The stacks are those of
 * the assembly, and their outputs lead to this endpoint. Whatever would change a stack is rejected by name: the
 * assembly is what is deployed here.
 */
export function stacksRoute(stacks: StackDescriptions): ServiceRoute {
  return {
    service: { title: 'CloudFormation', signingName: 'cloudformation' },
    requests: { form: true },
    contentTypes: ['application/x-www-form-urlencoded'],
    bodyBytesMax: 1024 * 1024,
    handle({ body, requestId }) {
      const form = new URLSearchParams(body.toString('utf8'));
      const action = form.get('Action') ?? '';
      if (action !== 'DescribeStacks') {
        const message = `The local CloudFormation does not support ${action}: it only describes the stacks of its assembly`;
        return Promise.resolve(rejected('UnsupportedOperation', message, requestId));
      }
      const wanted = form.get('StackName');
      const names = stacks.names.filter(name => [null, name, stackId(name, stacks)].includes(wanted));
      if (wanted !== null && names.length === 0)
        return Promise.resolve(
          rejected('ValidationError', `Stack with id ${wanted} does not exist`, requestId),
        );
      const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
      const members = xmlOf({ Stacks: names.map(name => stackOf(name, stacks)) }, 'member');
      return Promise.resolve({
        status: 200,
        headers: XML,
        body: `<DescribeStacksResponse xmlns="${NAMESPACE}"><DescribeStacksResult>${members}</DescribeStacksResult>${metadata}</DescribeStacksResponse>`,
      });
    },
  };
}

function stackId(name: string, { region, account }: StackDescriptions): string {
  return `arn:aws:cloudformation:${region}:${account}:stack/${name}/local`;
}

function stackOf(name: string, stacks: StackDescriptions): object {
  const outputs = Object.entries(stacks.outputs[name] ?? {});
  return {
    StackId: stackId(name, stacks),
    StackName: name,
    CreationTime: new Date(stacks.startedAt).toISOString(),
    StackStatus: 'CREATE_COMPLETE',
    Outputs: outputs.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  };
}

function rejected(code: string, message: string, requestId: string): ApiAnswer {
  const error = xmlOf({ Error: { Type: 'Sender', Code: code, Message: message }, RequestId: requestId });
  return { status: 400, headers: XML, body: `<ErrorResponse xmlns="${NAMESPACE}">${error}</ErrorResponse>` };
}
