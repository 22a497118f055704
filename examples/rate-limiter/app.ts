import { App, Duration, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { RateLimiterStack } from './stack';
import { WindowedRateLimiterStack } from './windowed-stack';

const app = new App();
new RateLimiterStack(app, 'RateLimiter', {
  description: 'Five requests per user and day, each counted once',
  requestsPerDay: 5,
});
new WindowedRateLimiterStack(app, 'WindowedRateLimiter', {
  description: 'A million requests per user and hour, each counted once',
  limit: 1_000_000,
  window: Duration.hours(1),
  shards: 4,
  answer: 'limited',
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
