import { App, Duration, Stack } from 'aws-cdk-lib';
import {
  AwsIntegration,
  LambdaIntegration,
  MockIntegration,
  PassthroughBehavior,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { PaymentsStack } from '../../infra/app/stack';
import { IdempotentWorkflow, Source } from '../../infra/index';

/** Reads whatever a mapping template can read of a request, and none of it twice. */
const ECHO = [
  '#set($in = $input.path("$"))',
  '{"statusCode": 200, "body": $input.json("$"), "a": "$util.escapeJavaScript($input.params("a"))",',
  '"path": "$context.resourcePath", "header": "$util.escapeJavaScript($input.params().header.get("x-a"))",',
  '"items": [#foreach($item in $in.items)"$util.escapeJavaScript($item)"#if($foreach.hasNext),#end#end],',
  '"encoded": "$util.urlEncode($input.body)", "base64": "$util.base64Encode($input.body)"}',
].join('\n');

/** What random requests are sent to: the reference app, and REST APIs with each kind of integration. */
class RestApisStack extends Stack {
  constructor(app: App, id: string) {
    super(app, id);
    const code = Code.fromInline(
      'exports.handler = async event => ({ statusCode: 200, body: event.body ?? "" });',
    );
    const echo = new LambdaFunction(this, 'Echo', {
      runtime: Runtime.NODEJS_22_X,
      handler: 'index.handler',
      code,
      // A busy machine takes longer than the usual three seconds, and the answer is 502 then.
      timeout: Duration.minutes(1),
    });
    const workflow = new IdempotentWorkflow(this, 'Pay', {
      idempotencyKey: '{% $states.input.idempotencyKey %}',
      step: echo,
    });
    workflow.startFrom(Source.http('payments', { cors: { allowOrigins: ['https://shop.example'] } }));
    const api = new RestApi(this, 'Mapped', { cloudWatchRole: false });
    const methodResponses = [{ statusCode: '200' }, { statusCode: '400' }];
    const requestTemplates = { 'application/json': ECHO };
    const integrationResponses = [
      { statusCode: '200', responseTemplates: { 'application/json': '{"was": "$context.httpMethod"}' } },
      { statusCode: '400', selectionPattern: '[45]\\d\\d' },
    ];
    const mapping = {
      requestTemplates,
      integrationResponses,
      passthroughBehavior: PassthroughBehavior.NEVER,
    };
    api.root
      .addResource('mock')
      .addResource('{id}')
      .addMethod('ANY', new MockIntegration(mapping), { methodResponses });
    const credentialsRole = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    });
    const action = new AwsIntegration({
      service: 'states',
      action: 'DescribeExecution',
      options: { ...mapping, credentialsRole },
    });
    api.root.addResource('action').addMethod('POST', action, { methodResponses });
    api.root.addResource('proxy').addProxy({ defaultIntegration: new LambdaIntegration(echo) });
  }
}

const app = new App();
new PaymentsStack(app, 'OnceflowPayments');
new RestApisStack(app, 'RestApis');
app.synth();
