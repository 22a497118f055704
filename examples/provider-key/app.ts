import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ProviderKeyStack } from './stack';

const app = new App();
new ProviderKeyStack(app, 'ProviderKey', {
  description: 'Charges at a provider that takes an idempotency key',
  providerUrl: 'https://payments.example.com',
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
