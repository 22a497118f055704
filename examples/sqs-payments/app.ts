import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { SqsPaymentsStack } from './stack';

const app = new App();
new SqsPaymentsStack(app, 'SqsPayments', { description: 'Payments from a queue, each made once' });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
