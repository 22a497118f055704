import { App } from 'aws-cdk-lib';
import { FrontDoorStack } from './stack';

// For `cdk deploy --app`, and for `npm start -- --app`: what requests of the suite are sent to at a URL.
const app = new App();
new FrontDoorStack(app, 'FrontDoor');
app.synth();
