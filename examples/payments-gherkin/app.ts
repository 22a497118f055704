import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ShopStack } from './stack';

const app = new App();
new ShopStack(app, 'PaymentsGherkin', { description: 'Orders from an event bus, each paid once' });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
