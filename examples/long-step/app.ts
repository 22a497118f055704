import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { LongStepStack } from './stack';

const app = new App();
new LongStepStack(app, 'LongStep', { description: 'Films that workers render for hours, each once' });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
