import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PaymentsStack } from './stack';

const app = new App();
new PaymentsStack(app, 'OnceflowPayments', { description: 'Orders from an event bus, each charged once' });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
