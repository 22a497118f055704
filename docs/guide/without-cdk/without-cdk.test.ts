import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deliverEvent, type LocalStack, startLocal } from '@onceflow/local';
import { workflowTemplate } from 'onceflow';
import { readDocument } from '../../../cli/app/read-document';
import { templateAssembly } from '../../../cli/app/template-assembly';

type Template = ReturnType<typeof workflowTemplate>['template'];

const fileOfPage = (name: string) => path.join(__dirname, name);

let directory: string;
let template: Template;
let stack: LocalStack;

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'without-cdk-'));
  template = workflowTemplate(readDocument(fileOfPage('workflow.yaml')) as Template).template;
  const file = path.join(directory, 'template.json');
  writeFileSync(file, JSON.stringify(template));
  const step = fileOfPage('charge.py');
  const made = await templateAssembly({ template: file, parameters: [], step });
  stack = await startLocal({ assembly: made.directory });
  rmSync(made.directory, { recursive: true });
}, 60_000);

afterAll(async () => {
  await stack.close();
  rmSync(directory, { recursive: true });
});

test('the template of the page, with the step in Python: an order delivered twice is charged once', async () => {
  const detail = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };
  const order = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail };

  const first = await deliverEvent(stack, order, 'default');
  const second = await deliverEvent(stack, order, 'default');

  expect(first).toMatchObject([{ status: 'SUCCEEDED', output: '{"charged":12.5,"attempt":1}' }]);
  expect(second).toEqual([]);
});

test('the files for SAM and Terraform: they give parameters and read outputs that the template has', () => {
  const nested = readDocument(fileOfPage('sam.yaml')) as {
    readonly Resources: { readonly Payments: { readonly Properties: { readonly Parameters: object } } };
  };
  const terraform = readFileSync(fileOfPage('main.tf'), 'utf8');
  const [, given = ''] = /parameters = \{\n([^}]*)\}/.exec(terraform) ?? [];
  const names = [...given.matchAll(/^\s*(\w+)\s*=/gm)].map(([, name]) => name);

  const { Parameters } = nested.Resources.Payments.Properties;
  const known = Object.keys(template['Parameters'] as object);
  expect(known).toEqual(expect.arrayContaining(Object.keys(Parameters)));
  expect(known).toEqual(expect.arrayContaining(names));
  expect(names).toHaveLength(2);
  expect(Object.keys(template['Outputs'] as object)).toContain('StateMachineArn');
});
