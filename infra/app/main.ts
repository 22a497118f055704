import { App } from 'aws-cdk-lib';
import { PaymentsStack } from './stack';

const app = new App();
new PaymentsStack(app, 'OnceflowPayments', { description: 'Orders from an event bus, each charged once' });
app.synth();
