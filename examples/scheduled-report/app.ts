import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ScheduledReportStack } from './stack';

const app = new App();
new ScheduledReportStack(app, 'ScheduledReport', {
  description: 'An hourly report, one for each scheduled time',
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
