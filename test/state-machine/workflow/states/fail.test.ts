import { Aws } from 'aws-cdk-lib';
import { type IdempotencyKey, IdempotentWorkflow, Key } from '../../../../infra/index';
import { definitionIn, someFunction, synthesized } from '../../../support/synthesize';

/** What the cause of an invalid event says, before it is evaluated. */
function causeFor(idempotencyKey: IdempotencyKey, payload?: string): string {
  const template = synthesized(stack => {
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey,
      ...(payload !== undefined && { payload }),
      step: someFunction(stack),
    });
  });
  return String(definitionIn(template).States['Invalid event']?.['Cause']);
}

/** A key that the table of forms does not have. */
function unchecked(jsonata: string): Key {
  return Key.unchecked(`{% ${jsonata} %}`, { reason: 'for its cause' });
}

describe('the cause of an invalid event names the expressions', () => {
  test('of the key and the payload', () => {
    const cause = causeFor('{% $states.input.id %}', "{% $states.input.'the amount' %}");

    expect(cause).toContain("'keyExpression': '$states.input.id'");
    expect(cause).toContain("'payloadExpression': '$states.input.\\u0027the amount\\u0027'");
  });

  test('of a composite key, and no payload where none is compared', () => {
    const cause = causeFor(['{% $states.input.shop %}', '{% $states.input.id %}']);

    expect(cause).toContain("'keyExpression': '$states.input.shop, $states.input.id'");
    expect(cause).not.toContain('payloadExpression');
  });

  test('with the type of what a path reads, and without one for all other expressions', () => {
    const type = (path: string) => `[$type(${path}), 'nothing'][0]`;

    expect(causeFor('{% $states.input.`the id` %}')).toContain(
      `'keyType': ${type('$states.input.`the id`')}`,
    );
    expect(causeFor(['{% $states.input.shop %}', '{% $states.input.id %}'])).toContain(
      `'keyType': ${type('$states.input.shop')} & ', ' & ${type('$states.input.id')}`,
    );
    for (const other of [
      '$lowercase($states.input.id)',
      '$states.input.ids[0]',
      '$states.input.(id)',
      "$states.input{'a': $sum(b)}",
    ]) {
      expect(causeFor(unchecked(other))).not.toContain('keyType');
    }
  });

  test('of a payload as the key: without a type, since an object is right there', () => {
    const cause = causeFor(Key.ofPayload('{% $states.input.detail %}'));

    expect(cause).toContain("'keyExpression': '$states.input.detail'");
    expect(cause).not.toContain('keyType');
  });

  test('cut behind 200 characters, not within one', () => {
    const cause = causeFor(unchecked(`$states.input[shop = '${'😀'.repeat(300)}'].id`));

    expect(cause).toContain(`😀…'`);
    expect(cause).not.toMatch(/[\ud800-\udfff]/u);
  });

  test('whole where a part is known at deployment only', () => {
    const cause = causeFor(unchecked(`$states.input[shop = '${'a'.repeat(200)}${Aws.ACCOUNT_ID}'].id`));

    expect(cause).toMatch(/a\$\{AWS::AccountId\}\\u0027/);
    expect(cause).not.toContain('…');
  });
});
