import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { HttpPaymentsStack } from './stack';

const app = new App();
new HttpPaymentsStack(app, 'HttpPayments', { description: 'Payments by HTTP, each made once' });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
