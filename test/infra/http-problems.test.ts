import type { Template } from 'aws-cdk-lib/assertions';
import { type HttpSourceOptions, IdempotentWorkflow, Source } from '../../infra/index';
import { someFunction, synthesized } from '../support/synthesize';

function started(options: HttpSourceOptions): Template {
  return synthesized(stack => {
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.idempotencyKey %}',
      payload: '{% $states.input.body.amount %}',
      keepPayload: true,
      step: someFunction(stack),
    });
    workflow.startFrom(Source.http('payments', options));
  });
}

/** What problem documents can have as their `type`, in any answer. */
function typesIn(template: Template): readonly string[] {
  return JSON.stringify(template.toJSON()).match(/https:\/\/(?:github\.com|api\.example)\/[\w./#-]+/g) ?? [];
}

describe('`problems` of Source.http', () => {
  test('no answer names the documentation of onceflow', () => {
    const options = { cors: { allowOrigins: ['*'] }, errors: { Declined: 402 } };
    const prefix = 'https://github.com/onceflow/onceflow/blob/main/docs/guide/http-problems.md#';

    const types = typesIn(started({ ...options, problems: { type: 'https://api.example/problems/' } }));

    expect(types).toContain('https://api.example/problems/in-progress');
    expect(types).toContain('https://api.example/problems/rejected');
    expect(types).toEqual(
      typesIn(started(options)).map(type => type.replace(prefix, 'https://api.example/problems/')),
    );
    expect(types.filter(type => type.includes('github'))).toEqual([]);
  });

  test.each(['https://api.example/errors?name=', 'https://api.example/errors#', 'urn:example:problem:'])(
    '%s: taken',
    type => {
      expect(JSON.stringify(started({ problems: { type } }).toJSON())).toContain(`${type}in-progress`);
    },
  );

  test.each([
    ['problems/'],
    ['https://api.example/problems'],
    ["https://api.example/it's/"],
    [''],
    [7],
    [undefined],
  ])('%s: rejected', type => {
    expect(() => started({ problems: { type: type as string } })).toThrow(
      'Test/Pay: `problems.type` must be a URI that ends with /, #, = or :, to which the name of the problem',
    );
  });

  test('a misspelled option: rejected', () => {
    expect(() => started({ problems: { typ: 'https://api.example/' } as never })).toThrow(
      'has no option `typ`',
    );
  });
});
