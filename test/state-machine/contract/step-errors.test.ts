import fc from 'fast-check';
import { toJsonata } from '../../../state-machine/contract/condition-text';
import { IS_IN_DOUBT } from '../../../state-machine/contract/conditions';
import { expression, not } from '../../../state-machine/contract/jsonata';
import { isAnswer, MAY_HAVE_RUN, PASSES } from '../../../state-machine/contract/step-errors';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

/** The exceptions of Lambda's Invoke, as its API Reference lists them. */
const OF_INVOKE = `
  CodeArtifactUserDeleted CodeArtifactUserFailed CodeArtifactUserPending DurableExecutionAlreadyStarted
  EC2AccessDenied EC2Throttled EC2Unexpected EFSIO EFSMountConnectivity EFSMountFailure EFSMountTimeout
  ENILimitReached ENINotReady InvalidParameterValue InvalidRequestContent InvalidRuntime InvalidSecurityGroupID
  InvalidSubnetID InvalidZipFile KMSAccessDenied KMSDisabled KMSInvalidState KMSNotFound ModeNotSupported
  NoPublishedVersion RecursiveInvocation RequestTooLarge ResourceConflict ResourceNotFound ResourceNotReady
  RuntimeAliasDeleted RuntimeVersionDeleted S3FilesMountConnectivity S3FilesMountFailure S3FilesMountTimeout
  SerializedRequestEntityTooLarge Service ServiceQuotaExceeded SnapStart SnapStartNotReady
  SnapStartRegenerationFailure SnapStartTimeout SubnetIPAddressLimitReached TooManyRequests UnsupportedMediaType
`
  .trim()
  .split(/\s+/)
  .map(name => `Lambda.${name}Exception`);

/** Those of them that a function's run may be behind. */
const AFTER_A_START = ['Service', 'EFSIO', 'DurableExecutionAlreadyStarted'].map(
  name => `Lambda.${name}Exception`,
);

// In the form that awslabs/aws-deployment-framework, issue 460, has recorded.
const NO_PERMISSION =
  'User: arn:aws:sts::123456789012:assumed-role/r/s is not authorized to perform: lambda:InvokeFunction on resource: ' +
  'arn:aws:lambda:eu-west-1:123456789012:function:f (Service: AWSLambda; Status Code: 403; Error Code: ' +
  'AccessDeniedException; Request ID: 26d5d1a1-1f11-4f0e-9d5a-0d2b3a4c5d6e; Proxy: null)';

async function isAnswerAsExpression(name: string, cause: string) {
  const { value } = (await evaluate206(expression(not(toJsonata(IS_IN_DOUBT))), {
    record: { error: { S: JSON.stringify({ Error: name, Cause: cause }) } },
  })) as { readonly value: unknown };
  return value;
}

describe('an exception of Invoke', () => {
  test.each(OF_INVOKE)('%s: a rejection, except those that a run may be behind', name => {
    expect(isAnswer(name, '')).toBe(!AFTER_A_START.includes(name));
  });

  test('the list has each of the 45 once', () => {
    expect(new Set(OF_INVOKE).size).toBe(45);
  });

  test.each([
    'Aborted',
    'ApiCallTimeout',
    'ApiCallAttemptTimeout',
    'AmazonClient',
    'AmazonService',
    'SdkService',
  ])("%sException, of the SDK's client side: no rejection", name => {
    expect(isAnswer(`Lambda.${name}Exception`, '')).toBe(false);
  });

  test('an error that passes without a fix is a rejection, so that the step may be called again', () => {
    expect(PASSES.filter(name => !OF_INVOKE.includes(name))).toEqual([]);
    expect(PASSES.filter(name => !isAnswer(name, ''))).toEqual([]);
  });
});

describe('a missing permission', () => {
  test('as AWS has been recorded to word it: a rejection', () => {
    expect(isAnswer('Lambda.AWSLambdaException', NO_PERMISSION)).toBe(true);
  });

  test.each([
    ['another error without a name', NO_PERMISSION.replace('AccessDeniedException', 'InternalFailure')],
    ['a word that ends like it', NO_PERMISSION.replace('AccessDeniedException', 'KMSAccessDeniedException')],
    ['the wording of another SDK', 'not authorized (Service: Lambda, Status Code: 403, Request ID: 1)'],
    ['no cause', ''],
  ])('%s: in doubt', (_, cause) => {
    expect(isAnswer('Lambda.AWSLambdaException', cause)).toBe(false);
    expect(isAnswer('Lambda.AWSLambdaException')).toBe(false);
  });

  test('the same words under another name: decide nothing', () => {
    expect(isAnswer('Lambda.ServiceException', NO_PERMISSION)).toBe(false);
    expect(isAnswer('CardDeclined', '')).toBe(true);
  });
});

test('any error: the code and the JSONata say the same', async () => {
  const cause = fc.constantFrom(
    '',
    NO_PERMISSION,
    'Error Code: AccessDenied',
    'Error Code: AccessDeniedException;',
  );
  const name = fc.oneof(
    fc.constantFrom(...OF_INVOKE, ...MAY_HAVE_RUN, 'States.Permissions', 'States.Timeout', 'Lambda.Unknown'),
    fc.constantFrom(
      'CardDeclined',
      'Sandbox.Timedout',
      'Runtime.ExitError',
      'Lambda.Exception',
      'Lambda.xException.',
    ),
    fc
      .tuple(
        fc.constantFrom('Lambda.', 'Lambda', 'States.', 'My.Lambda.', ''),
        fc.string(),
        fc.constantFrom('Exception', ''),
      )
      .map(parts => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(name, cause, async (name, cause) => {
      expect(await isAnswerAsExpression(name, cause)).toBe(isAnswer(name, cause));
    }),
    { numRuns: runs(200, 2000) },
  );
});
