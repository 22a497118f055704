import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { OrderSagaStack } from './stack';

/** Synthesizes the stack for this process: the assembly's directory, and what removes it. */
export function synthesized(): { readonly directory: string; remove(): void } {
  const directory = mkdtempSync(path.join(tmpdir(), 'order-saga-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const app = new App({ outdir: directory });
    new OrderSagaStack(app, 'OrderSaga');
    app.synth();
    return { directory, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
