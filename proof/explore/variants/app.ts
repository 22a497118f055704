import { App } from 'aws-cdk-lib';
import { defineVariants } from './stacks';

const app = new App();
defineVariants(app);
app.synth();
