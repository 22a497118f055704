import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/**
 * Synthesizes the stacks that `define` adds to an app, without bundling, under the AwsSolutions rules of cdk-nag.
 *
 * @throws Error for a finding that is not acknowledged with its reason, and for a warning of a construct
 */
export function checkFindings(define: (app: App) => unknown): void {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  define(app);
  const messages = app.synth().stacks.flatMap(stack => stack.messages);
  const [warning] = messages.filter(({ level }) => level === 'warning' || level === 'error');
  if (warning) throw new Error(`${warning.id}: ${String(warning.entry.data)}`);
}
