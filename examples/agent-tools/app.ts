import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { AgentToolsStack } from './stack';

const app = new App();
new AgentToolsStack(app, 'AgentTools', { description: "An agent's tool calls, each made once" });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
