import { App } from 'aws-cdk-lib';
import { PaymentsStack } from './stack';

new PaymentsStack(new App(), 'Payments');
