import { App } from 'aws-cdk-lib';
import { SourcesStack } from './stack';

const app = new App();
new SourcesStack(app, 'Sources');
app.synth();
