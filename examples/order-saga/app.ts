import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { OrderSagaStack } from './stack';

const app = new App();
new OrderSagaStack(app, 'OrderSaga', { description: 'Orders that are done as a whole or not at all' });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
