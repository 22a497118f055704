import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { S3ObjectsStack } from './stack';

const app = new App();
new S3ObjectsStack(app, 'S3Objects', {
  description: "A catalogue of a bucket's objects, by events in any order",
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
