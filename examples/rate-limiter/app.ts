import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { RateLimiterStack } from './stack';

const app = new App();
new RateLimiterStack(app, 'RateLimiter', {
  description: 'Five requests per user and day, each counted once',
  requestsPerDay: 5,
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
